"""The same elements in another shape, order or company; sizes."""
