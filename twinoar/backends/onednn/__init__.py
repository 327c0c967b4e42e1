"""Kernels of the oneDNN library, through its C interface: matrix products, convolution, pooling.

`available()` says whether the library is here, and `unavailable_reason()` why not; nothing is
loaded before the first use. The path from shapes to an execution:

    x, w, y = (Layout.row_major(dims, float32) for dims in ((64, 784), (784, 128), (64, 128)))
    product = matmul(x, Layout.any(w.dims, float32), y, post=[Eltwise("relu")])
    if product is None: ...                     # the library has none for these element types
    packing = reorder(w, product.layout("weights"))

    command = Command(product, new_stream())
    command.set("src", address)                 # so for each name in product.arguments
    command.execute()

A `Layout` is a shape, an element type and strides in elements; `Layout.any` lets the primitive
choose, and `Primitive.layout(name)` tells what it chose, which may be tiles. Every function that
makes a primitive returns None where the library has no implementation, and raises ProgramError
where the layouts contradict each other. A `Primitive` belongs to no thread. A `Command` holds the
places of its arguments and has a stream: one per thread that runs.

Scratch memory is the caller's: the argument "scratchpad", of `Primitive.scratchpad_bytes` bytes,
exists where these are not 0. So is the "workspace" of a maximum in training, which passes from
`pooling_forward` to `pooling_backward`.

Where there are several ways, with one layout or another, `fastest(key, ways)` measures them once
and remembers the winner on disk; `doubted()` says whether the machine was too busy for that.

Native code runs a command by calling the function at `execute_address()`,
`int dnnl_primitive_execute(void *primitive, void *stream, int count, void *arguments)`, with the
four fields of 8 bytes at `Command.arguments_address`; 0 is success. The addresses stay valid as
long as the `Command` lives, also when `set` moves an argument; and so does native code by calling
the function at `place_address()` with what `Command.memory_address(name)` gives, and an address.
"""

from twinoar.backends.onednn.attributes import Binary, Eltwise, PostOp, Precision, Scales, Sum
from twinoar.backends.onednn.choice import doubted, fastest
from twinoar.backends.onednn.convolution import (
    convolution_backward_data,
    convolution_backward_weights,
    convolution_forward,
    deconvolution_forward,
)
from twinoar.backends.onednn.layout import Layout
from twinoar.backends.onednn.library import (
    available,
    execute_address,
    identity,
    new_stream,
    place_address,
    unavailable_reason,
)
from twinoar.backends.onednn.matmul import matmul
from twinoar.backends.onednn.pooling import Pooling, pooling_backward, pooling_forward
from twinoar.backends.onednn.primitive import Command, CommandArguments, Primitive
from twinoar.backends.onednn.reorder import reorder
from twinoar.backends.onednn.window import Window
from twinoar.core.public import exported

__all__ = exported(globals(), "Pooling", "PostOp", "Precision")
