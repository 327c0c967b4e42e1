"""Programs whose values are rounded: where, how in training, and by which fixed scales after it.

Rounding is put into a Graph (`put_rounding`), learns its scales in training, and becomes pairs of
quantizing and dequantizing (`fix_scales`) with weights that are integers (`keep_integers`). Without
training, observers find the scales from data (`calibrate`). What all of them ask is `places`.
"""
