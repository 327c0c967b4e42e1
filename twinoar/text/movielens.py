"""Ratings of movies: a data set for recommendations."""

from __future__ import annotations

from twinoar.dataset import movielens
from twinoar.text.samples import Path, SampleDataset, arrays_of, files_of


class Movielens(SampleDataset):
    """Ratings of movies: samples (user, gender, age, job, movie, categories, title, rating).

    All are ids, [1] or as many as there are, but the rating, [1], from -5 to 5. data_file: the
    archive ml-1m.zip; None takes it from the data home or the cache, or downloads it. mode: "train"
    or "test". test_ratio: how many ratings, by chance from rand_seed, are to test with. download:
    allow downloading. Raises FileError, ArgumentError.
    """

    def __init__(
        self,
        data_file: Path | None = None,
        mode: str = "train",
        test_ratio: float = 0.1,
        rand_seed: int = 0,
        download: bool = True,
    ):
        self.mode, self.test_ratio, self.rand_seed = self._checked_mode(mode), test_ratio, rand_seed
        read = movielens.train if self.mode == "train" else movielens.test
        movielens.forget()
        with files_of({movielens.FILE: data_file}, download):
            self.samples = arrays_of(
                [part if isinstance(part, list) else [part] for part in sample]
                for sample in read(rand_seed, test_ratio)()
            )
            self.movie_info, self.user_info = movielens.movie_info(), movielens.user_info()
            self.movie_title_dict = movielens.get_movie_title_dict()
            self.categories_dict = movielens.movie_categories()
        movielens.forget()
