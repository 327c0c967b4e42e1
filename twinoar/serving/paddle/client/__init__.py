"""`paddle_serving_client`: asks a server, and converts models for it."""

from twinoar.serving.paddle.client.asking import Client, HttpClient
from twinoar.serving.paddle.client.io import inference_model_to_serving

__all__ = ["Client", "HttpClient", "inference_model_to_serving"]
