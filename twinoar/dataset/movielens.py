"""Ratings of movies: samples [user, gender, age, job, movie, categories, title, [rating]].

All are ids, categories and the title lists of them; the rating is from -5 to 5. One rating in ten,
by chance, is to test with.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator

import numpy as np

from twinoar.core.public import declared
from twinoar.dataset.common import package
from twinoar.late import dataclass
from twinoar.reader import Reader

URL = "https://dataset.bj.bcebos.com/movielens%2Fml-1m.zip"
FILE = URL.rpartition("/")[2]
MD5 = "c4d9eecfca2ab87c1945afe126590906"
TITLE = re.compile(r"^(.*)\((\d+)\)$")
age_table = [1, 18, 25, 35, 45, 50, 56]


@dataclass(frozen=True)
class MovieInfo:
    """A movie: its id, categories and title."""

    index: int
    categories: list[str]
    title: str

    def value(self) -> list:
        """The ids of the movie, of its categories, and of the words of its title."""
        categories, words = movie_categories(), get_movie_title_dict()
        return [
            self.index,
            [categories[c] for c in self.categories],
            [words[w.lower()] for w in self.title.split()],
        ]


@dataclass(frozen=True)
class UserInfo:
    """A user: id, gender, age as a number of `age_table`, job."""

    index: int
    is_male: bool
    age: int
    job_id: int

    def value(self) -> list:
        """The ids of the user, the gender, the age and the job."""
        return [self.index, 0 if self.is_male else 1, self.age, self.job_id]


def train(rand_seed: int = 0, test_ratio: float = 0.1) -> Reader:
    """A reader of the ratings to train with. Raises FileError."""
    return lambda: _ratings(rand_seed, test_ratio, is_test=False)


def test(rand_seed: int = 0, test_ratio: float = 0.1) -> Reader:
    """A reader of the ratings to test with. Raises FileError."""
    return lambda: _ratings(rand_seed, test_ratio, is_test=True)


@functools.cache
def movie_info() -> dict[int, MovieInfo]:
    """The movies by id. Raises FileError."""
    found = {}
    for number, title, categories in _lines("movies"):
        match = TITLE.match(title)
        name = title if match is None else match[1]
        found[int(number)] = MovieInfo(int(number), categories.split("|"), name)
    return found


@functools.cache
def user_info() -> dict[int, UserInfo]:
    """The users by id. Raises FileError."""
    return {
        int(number): UserInfo(int(number), gender == "M", age_table.index(int(age)), int(job))
        for number, gender, age, job, _ in _lines("users")
    }


@functools.cache
def get_movie_title_dict() -> dict[str, int]:
    """Ids of the words of titles, in lower case."""
    words = {w.lower() for movie in movie_info().values() for w in movie.title.split()}
    return {word: number for number, word in enumerate(sorted(words))}


@functools.cache
def movie_categories() -> dict[str, int]:
    """Ids of the categories."""
    names = {c for movie in movie_info().values() for c in movie.categories}
    return {name: number for number, name in enumerate(sorted(names))}


def max_movie_id() -> int:
    """The largest id of a movie."""
    return max(movie_info())


def max_user_id() -> int:
    """The largest id of a user."""
    return max(user_info())


def max_job_id() -> int:
    """The largest id of a job."""
    return max(user.job_id for user in user_info().values())


def forget() -> None:
    """Read the file anew when it is asked for next."""
    for cached in (movie_info, user_info, get_movie_title_dict, movie_categories):
        cached.cache_clear()


def _ratings(rand_seed: int, test_ratio: float, is_test: bool) -> Iterator[list]:
    draw = np.random.RandomState(rand_seed).random_sample
    for user, movie, rating, _ in _lines("ratings"):
        if (draw() < test_ratio) == is_test:
            score = float(rating) * 2 - 5.0
            yield [*user_info()[int(user)].value(), *movie_info()[int(movie)].value(), [score]]


def _lines(table: str) -> Iterator[list[str]]:
    with package(URL, "movielens", MD5) as files, files.open(f"ml-1m/{table}.dat") as lines:
        for line in lines:
            yield line.decode("latin").strip().split("::")


__all__ = declared(globals(), "age_table", but=("forget",))
