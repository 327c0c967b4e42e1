"""Collectives, objects between processes, and what one sends to another."""

# Written by tools/stubs.py.

import builtins
from typing import Any, Literal, overload

import numpy as _numpy

from twinoar.distributed import P2POp as P2POp
from twinoar.distributed import ReduceOp as ReduceOp
from twinoar.distributed import all_gather as all_gather
from twinoar.distributed import all_gather_object as all_gather_object
from twinoar.distributed import all_reduce as all_reduce
from twinoar.distributed import alltoall as alltoall
from twinoar.distributed import alltoall_single as alltoall_single
from twinoar.distributed import batch_isend_irecv as batch_isend_irecv
from twinoar.distributed import broadcast as broadcast
from twinoar.distributed import broadcast_object_list as broadcast_object_list
from twinoar.distributed import gather as gather
from twinoar.distributed import irecv as irecv
from twinoar.distributed import isend as isend
from twinoar.distributed import recv as recv
from twinoar.distributed import recv_object_list as recv_object_list
from twinoar.distributed import reduce as reduce
from twinoar.distributed import reduce_scatter as reduce_scatter
from twinoar.distributed import scatter as scatter
from twinoar.distributed import scatter_object_list as scatter_object_list
from twinoar.distributed import send as send
from twinoar.distributed import send_object_list as send_object_list
from . import stream as stream
