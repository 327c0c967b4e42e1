"""Files of torch, read without torch and without running what they say."""

from twinoar.formats.torch.archive import HEAD, read_archive

__all__ = ["HEAD", "read_archive"]
