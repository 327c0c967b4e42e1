"""Ratings of movies: samples [user, gender, age, job, movie, categories, title, [rating]]."""

# Written by tools/stubs.py.

from twinoar.dataset.movielens import *
