"""Data loading: datasets, samplers, and DataLoader with its worker processes."""

from twinoar.core.public import exported
from twinoar.io.batch_sampler import BatchSampler, DistributedBatchSampler
from twinoar.io.dataset import (
    ChainDataset,
    ComposeDataset,
    ConcatDataset,
    Dataset,
    IterableDataset,
    Subset,
    TensorDataset,
    random_split,
)
from twinoar.io.loader import DataLoader
from twinoar.io.sampler import (
    RandomSampler,
    Sampler,
    SequenceSampler,
    SubsetRandomSampler,
    WeightedRandomSampler,
)
from twinoar.io.worker import get_worker_info

__all__ = exported(globals())
