"""What pytest leaves alone here: scripts for other Pythons."""

collect_ignore = ["client_of_triton.py", "client_of_openai.py", "client_of_paddle.py"]
