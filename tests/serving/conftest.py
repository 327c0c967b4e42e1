"""What pytest leaves alone here: scripts for other Pythons."""

collect_ignore = [f"client_of_{name}.py" for name in ("triton", "openai", "paddle", "kserve")]
