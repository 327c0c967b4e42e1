"""The files of Paddle: `.pdmodel`, `.pdiparams`, `.pdparams`."""
