"""Files of every format that is read, damaged and forged by chance: a clear error each, or a model.

`python -m tests.formats.hostile --seed 1 --count 10000` makes so many of each format, loads each in
a process with little memory and time, and prints those that did more or less than they should.
"""
