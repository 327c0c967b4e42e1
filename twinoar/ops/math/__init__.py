"""Functions of elements: arithmetic, powers, trigonometry, comparison, logic, dtypes."""
