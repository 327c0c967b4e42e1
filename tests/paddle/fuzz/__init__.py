"""Random calls of public functions, which are to do in twinoar what they do in Paddle 3.3.1.

A case is a number, from which its call is drawn without Paddle: `python -m tests.paddle.fuzz
--seed 7 --count 500` compares cases 7,000,000 to 7,000,499, and test_fuzz.py a few fixed ones.
"""
