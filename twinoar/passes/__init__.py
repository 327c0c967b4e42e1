"""Passes: functions from Program to Program, and the manager that runs, verifies and times them."""
