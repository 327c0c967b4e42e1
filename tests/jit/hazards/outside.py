"""What a hazardous function finds outside itself: definitions, how they change, what is seen."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Outside:
    """One thing at the top of a module.

    text: its definition. changes: statements that change it between calls, as `i` counts them.
    seen: an expression of plain values that tells what it holds. needs: what it is made of.
    """

    text: str
    changes: tuple[str, ...] = ()
    seen: str = ""
    needs: tuple[str, ...] = ()


OUTSIDE = {
    "SCALE": Outside("SCALE = 2.0", ("set_global('SCALE', 0.5 + i)",), "SCALE"),
    "COUNT": Outside("COUNT = 0", ("set_global('COUNT', COUNT + 5)",), "COUNT"),
    "HELD": Outside(
        "HELD = paddle.to_tensor([1.0, 2.0, -1.0])",
        ("set_global('HELD', paddle.to_tensor([0.5, i, 2.0]))", "HELD.add_(paddle.ones([3]))"),
        "plain(HELD)",
    ),
    "LOG": Outside("LOG = []", ("LOG.append(i)", "LOG.clear()"), "plain(LOG)"),
    "TABLE": Outside(
        'TABLE = {"k": 1.0}', ('TABLE["k"] = 2.0 + i', "TABLE.update(new=i)"), "plain(TABLE)"
    ),
    "SEEN": Outside("SEEN = {1, 2}", ("SEEN.add(3 + i)", "SEEN.discard(1)"), "sorted(SEEN)"),
    "QUEUE": Outside(
        "QUEUE = collections.deque([1.0, 2.0], maxlen=4)",
        ("QUEUE.append(3.0 + i)", "QUEUE.rotate(1)"),
        "plain(list(QUEUE))",
    ),
    "HEAP": Outside("HEAP = [1, 5, 9]", ("heapq.heappush(HEAP, 2 + i)",), "plain(HEAP)"),
    "WORDS": Outside("WORDS = io.StringIO()", ("WORDS.write(str(i))",), "WORDS.getvalue()"),
    "ARRAY": Outside(
        "ARRAY = np.arange(3, dtype=np.float32)", ("ARRAY[1] = 4.0 + i",), "ARRAY.tolist()"
    ),
    "TALLY": Outside("TALLY = collections.Counter()", ("TALLY['a'] += 2",), "dict(TALLY)"),
    "GROUPS": Outside(
        "GROUPS = collections.defaultdict(list)", ("GROUPS['a'].append(i)",), "plain(dict(GROUPS))"
    ),
    "ORDER": Outside(
        "ORDER = collections.OrderedDict(a=1.0, b=2.0)",
        ("ORDER.move_to_end('a')", "ORDER['c'] = 3.0 + i"),
        "list(ORDER.items())",
    ),
    "BYTES": Outside("BYTES = bytearray(b'ab')", ("BYTES.append(99)",), "bytes(BYTES)"),
    "CELLS": Outside(
        "CELLS = array.array('d', [1.0, 2.0])", ("CELLS[0] = 3.0 + i",), "CELLS.tolist()"
    ),
    "Box": Outside(
        """class Box:
    shared = 3.0

    def __init__(self, value):
        self.value = value
        self.count = 0

    @property
    def doubled(self):
        self.count += 1
        return self.value * 2

    @doubled.setter
    def doubled(self, value):
        self.value = value / 2

    def scaled(self, v, by=None):
        return v * (self.value if by is None else by)

    @classmethod
    def of_class(cls, v):
        return v * cls.shared

    @staticmethod
    def shifted(v, by=1.0):
        return v + by

    def __call__(self, v):
        return v + self.value

    def __getitem__(self, key):
        return key * self.value

    def __setitem__(self, key, value):
        self.count += 1
        setattr(self, key, value)

    def __contains__(self, v):
        return self.value > v

    def __len__(self):
        return 2 + self.count

    def __iter__(self):
        yield self.value
        yield self.shared

    def __mul__(self, v):
        return v * self.value * self.shared

    def __rmul__(self, v):
        return v * self.value

    def __enter__(self):
        self.count += 1
        return self

    def __exit__(self, *error):
        self.value += 0.5

    def __getattr__(self, name):
        if name.startswith("virtual"):
            return self.value + len(name)
        raise AttributeError(name)""",
        ("Box.shared = 5.0 + i",),
        "Box.shared",
    ),
    "BOX": Outside(
        "BOX = Box(1.5)",
        ("BOX.value = 0.5 + i", "BOX.count = i", "BOX.virtual = 7.0"),
        "{k: plain(v) for k, v in vars(BOX).items()}",
        ("Box",),
    ),
    "Field": Outside(
        """class Field:
    def __set_name__(self, owner, name):
        self.name = "_" + name

    def __get__(self, holder, owner=None):
        return self if holder is None else getattr(holder, self.name, 1.0) * FACTOR

    def __set__(self, holder, value):
        CHANGED.append(self.name)
        setattr(holder, self.name, value)


FACTOR, CHANGED = 2.0, []""",
        ("set_global('FACTOR', 1.0 + i)",),
        "FACTOR, list(CHANGED)",
    ),
    "RECORD": Outside(
        """class Record:
    size = Field()

    def __setattr__(self, name, value):
        CHANGED.append(name)
        object.__setattr__(self, name, value)


RECORD = Record()""",
        ("RECORD.size = 1.5 + i",),
        "{k: plain(v) for k, v in vars(RECORD).items()}",
        ("Field",),
    ),
    "Pair": Outside(
        """@dataclasses.dataclass
class Pair:
    first: object
    second: float = 1.0

    def total(self):
        return self.first + self.second""",
    ),
    "PAIR": Outside(
        "PAIR = Pair(2.0)",
        ("PAIR.second = 3.0 + i", "PAIR.first = 1.0"),
        "plain([PAIR.first, PAIR.second])",
        ("Pair",),
    ),
    "Stack": Outside(
        """class Stack(list):
    pushed = 0

    def append(self, x):
        Stack.pushed += 1
        super().append(x)""",
        (),
        "Stack.pushed",
    ),
    "STACK": Outside(
        "STACK = Stack([1.0])", ("STACK.append(i)",), "plain(list(STACK))", ("Stack",)
    ),
    "Missing": Outside(
        """class Missing(dict):
    def __missing__(self, key):
        self[key] = float(len(self))
        return self[key]""",
    ),
    "MISSING": Outside("MISSING = Missing()", ("MISSING['x'] = i",), "dict(MISSING)", ("Missing",)),
    "tracked": Outside(
        """@contextlib.contextmanager
def tracked(name):
    EVENTS.append("in " + name)
    try:
        yield len(EVENTS)
    finally:
        EVENTS.append("out " + name)


EVENTS = []""",
        ("EVENTS.clear()",),
        "list(EVENTS)",
    ),
    "helper": Outside(
        """def helper(v, by=2.0, *rest, shift=0.0, **named):
    if v.sum() > 1:
        v = v * by
    for r in rest:
        v = v + r
    return v + shift + sum(named.values())""",
        (
            "helper.__defaults__ = (1.0 + i,)",
            "helper.__kwdefaults__ = {'shift': 0.5 * i}",
            "set_global('helper', lambda v, *r, **n: v - i)",
        ),
    ),
    "growing": Outside(
        """def growing(v, kept=[]):
    kept.append(1.0)
    return v * len(kept)""",
        ("growing.__defaults__[0].clear()",),
        "len(growing.__defaults__[0])",
    ),
    "deep": Outside(
        """def deep(v, n):
    return v if n <= 0 else deep(v * 0.5 + n, n - 1)""",
    ),
    "counted": Outside(
        """def make_counted():
    calls = 0

    def counted(v):
        nonlocal calls
        calls += 1
        return v + calls

    return counted


counted = make_counted()""",
        (),
        "counted.__closure__[0].cell_contents",
    ),
    "rows_of": Outside(
        """def rows_of(v):
    for row in v:
        EMITTED.append(1)
        yield row * 2


EMITTED = []""",
        ("EMITTED.clear()",),
        "len(EMITTED)",
    ),
    "decorated": Outside(
        """def twice(f):
    @functools.wraps(f)
    def wrapper(*args, **kwargs):
        wrapper.calls += 1
        return f(f(*args, **kwargs), **kwargs)

    wrapper.calls = 0
    return wrapper


@twice
def decorated(v, add=1.0):
    return v + add if v.sum() > 0 else v - add""",
        ("decorated.__wrapped__.__defaults__ = (2.0 + i,)",),
        "decorated.calls",
    ),
    "table_of": Outside(
        """@functools.lru_cache
def table_of(n):
    return [n * SIZE, n + 1.0]


SIZE = 2.0""",
        ("set_global('SIZE', 3.0 + i)", "table_of.cache_clear()"),
        "SIZE",
    ),
    "chosen_by": Outside(
        """@functools.singledispatch
def chosen_by(v):
    return 1.0


@chosen_by.register(paddle.Tensor)
def _(v):
    return v * 0.5 if v.max() > 1 else v


@chosen_by.register(int)
def _(v):
    return v + 2.0""",
        ("chosen_by.register(str, lambda v: 3.0 + i)",),
    ),
    "part": Outside(
        "part = functools.partial(lambda by, v, add=0.0: v * by + add, 1.5)",
        ("part.keywords['add'] = 1.0 + i",),
    ),
    "NET": Outside(
        """class Net(nn.Layer):
    def __init__(self):
        super().__init__()
        self.linear = nn.Linear(3, 3)
        self.linear.weight.set_value(paddle.eye(3) * 0.5)
        self.norm = nn.BatchNorm1D(3)
        self.register_buffer("kept", paddle.zeros([3]))
        self.calls = 0
        self.state = None

    def forward(self, v):
        self.calls += 1
        return self.linear(v) + self.kept

    def normed(self, v):
        return self.norm(paddle.stack([v, v * 2]))[0]

    def remember(self, v):
        self.kept = self.kept * 0.5 + v.detach()
        return self.kept


NET = Net()""",
        (
            "NET.linear.weight.set_value(paddle.eye(3) * (1.0 + i))",
            "NET.linear.bias = paddle.create_parameter([3], 'float32')",
            "NET.eval()",
            "NET.train()",
            "NET.calls = 10",
            "NET.kept = paddle.ones([3]) * i",
            "NET.register_buffer('extra', paddle.ones([1]))",
        ),
        "NET.calls, NET.training, {k: plain(v) for k, v in NET.state_dict().items()}",
    ),
    "OPT": Outside(
        "OPT = paddle.optimizer.SGD(0.5, parameters=NET.parameters())",
        ("OPT.set_lr(0.25 * (i + 1))",),
        "OPT.get_lr()",
        ("NET",),
    ),
    "SCHEDULER": Outside(
        "SCHEDULER = paddle.optimizer.lr.StepDecay(0.5, step_size=2)",
        ("SCHEDULER.step()",),
        "SCHEDULER()",
    ),
    "DTYPE": Outside(
        "DTYPE = None", ("paddle.set_default_dtype('float64' if i % 2 else 'float32')",)
    ),
}
