"""`paddle_serving_server`: serves what `paddle_serving_client.convert` has written."""
