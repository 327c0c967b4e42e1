"""What users look at: the page about a Program, the profiler, what runs as what and why."""
