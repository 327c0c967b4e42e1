"""Downloads: the content of a URL, tried again where that may help."""

from __future__ import annotations

import time
import urllib.error
import urllib.request

ATTEMPTS = 3
BACKOFF_SECONDS = 1.0  # before the second attempt; doubled for each one after it
TIMEOUT_SECONDS = 15.0


def fetch(url: str) -> bytes:
    """The body of the response. Raises OSError where there is none."""
    for attempt in range(ATTEMPTS):
        if attempt:
            time.sleep(BACKOFF_SECONDS * 2 ** (attempt - 1))
        try:
            with urllib.request.urlopen(url, timeout=TIMEOUT_SECONDS) as response:
                return response.read()
        except urllib.error.HTTPError as error:
            if error.code < 500 or attempt == ATTEMPTS - 1:
                raise
        except OSError:
            if attempt == ATTEMPTS - 1:
                raise
    raise AssertionError("the last attempt returns or raises")
