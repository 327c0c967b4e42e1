"""What Paddle's compiler of GPU kernels is told to fuse: nothing here."""

__all__: list[str] = []
