"""`python -m paddle_serving_client.convert`: a saved model for a server and its clients.

    twinoar run -m paddle_serving_client.convert --dirname model \
        --model_filename inference.pdmodel --params_filename inference.pdiparams
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from twinoar.errors import TwinoarError
from twinoar.serving.paddle.client.io import inference_model_to_serving


def parse_args(arguments: Sequence[str] | None = None) -> argparse.Namespace:
    """The options, those of Paddle Serving."""
    parser = argparse.ArgumentParser("convert")
    parser.add_argument("--show_proto", type=bool, default=False, help="print the config alone")
    parser.add_argument("--dirname", required=True, help="where the model was saved")
    parser.add_argument("--serving_server", default="serving_server", help="for the server")
    parser.add_argument("--serving_client", default="serving_client", help="for clients")
    parser.add_argument("--model_filename", help="the program's file, __model__ without one")
    parser.add_argument("--params_filename", help="the parameters' file, where it is one")
    parser.add_argument("--feed_alias_names", help="names for the inputs, with commas")
    parser.add_argument("--fetch_alias_names", help="names for the outputs, with commas")
    return parser.parse_args(arguments)


def main(arguments: Sequence[str] | None = None) -> int:
    """Convert; 0, or 1 where that cannot be."""
    try:
        inference_model_to_serving(**vars(parse_args(arguments)))
    except TwinoarError as error:
        print(f"convert: {error.message}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
