"""Boxes, regions and resized images."""
