"""Ratings of movies: samples [user, gender, age, job, movie, categories, title, [rating]]."""

# Written by tools/stubs.py.

import builtins
import collections.abc
import twinoar.dataset.movielens
from typing import Any, Literal, overload

import numpy as _numpy

class MovieInfo:
    """A movie: its id, categories and title."""
    def value(self) -> builtins.list:
        """The ids of the movie, of its categories, and of the words of its title."""
    def __init__(self, index: Any, categories: builtins.list[builtins.str], title: builtins.str) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    index: builtins.int
    categories: builtins.list[builtins.str]
    title: builtins.str
class UserInfo:
    """A user: id, gender, age as a number of `age_table`, job."""
    def value(self) -> builtins.list:
        """The ids of the user, the gender, the age and the job."""
    def __init__(self, index: Any, is_male: builtins.bool, age: Any, job_id: Any) -> None: ...
    def __eq__(self, other: Any) -> Any: ...  # type: ignore[override]
    index: builtins.int
    is_male: builtins.bool
    age: builtins.int
    job_id: builtins.int
age_table: builtins.list
def get_movie_title_dict() -> builtins.dict[builtins.str, builtins.int]:
    """Ids of the words of titles, in lower case."""
def max_job_id() -> builtins.int:
    """The largest id of a job."""
def max_movie_id() -> builtins.int:
    """The largest id of a movie."""
def max_user_id() -> builtins.int:
    """The largest id of a user."""
def movie_categories() -> builtins.dict[builtins.str, builtins.int]:
    """Ids of the categories."""
def movie_info() -> builtins.dict[builtins.int, twinoar.dataset.movielens.MovieInfo]:
    """The movies by id"""
def test(rand_seed: Any = 0, test_ratio: Any = ...) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the ratings to test with"""
def train(rand_seed: Any = 0, test_ratio: Any = ...) -> collections.abc.Callable[[], collections.abc.Iterable[Any]]:
    """A reader of the ratings to train with"""
def user_info() -> builtins.dict[builtins.int, twinoar.dataset.movielens.UserInfo]:
    """The users by id"""
