"""What pytest leaves alone here."""

collect_ignore = ["record.py"]  # a script for the real Paddle
