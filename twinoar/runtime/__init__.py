"""What runs beside any computation: memory that is used again, threads, files that are kept."""
