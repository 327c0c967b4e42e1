"""Reductions and scans over axes, statistics, histograms."""
