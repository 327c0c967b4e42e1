"""The words of hazardous functions: expressions and statements, with places to fill.

<t>: a tensor of three float32. <v>: a name of one. <n>, <k>: a float and an int, plain or of a run.
<m>, <j>: names of such. <c>: a small constant. <test>: a condition. Capitals and names of
`outside.OUTSIDE` are defined at the top of the module.
"""

TENSORS = """
<v>
<v>
<v>
<t> + <t>
<t> - <t>
<t> * 0.5
<t> * <n> * 0.25
<t> + <k>
-<t>
<t> / 2
paddle.maximum(<t>, <t>)
paddle.where(<t> > <c>, <t>, <t>)
<t>.clip(-4, 4)
<t>.abs()
<t>[::2].sum() + <t>
<t>.flip(0)
paddle.concat([<t>[1:], <t>[:1]])
paddle.stack([<t>, <t>]).max(0)
<t>.detach()
<t>.clone()
<t>.astype("int32").astype("float32")
<t>.astype("uint8").astype("float32")
<t>.astype("int8").astype("float32") * 0.1
<t>.astype("float64").astype("float32")
(<t> > <c>).astype("float32")
paddle.full([3], <n>)
paddle.to_tensor([<c>, 1.0, <c>])
paddle.ones([3]).astype("float32")
paddle.rand([3]).astype("float32")
<t> if <test> else <t>
(lambda u: u * 2 if u.sum() > <c> else u - 1)(<t>)
(lambda u, w=<t>: (lambda z: z + w)(u))(<t>)
[<t>, <t>][<k> % 2]
{"p": <t>, "q": <t>}["q"]
sum([u * 0.5 for u in (<t>, <t>)])
max([<t>, <t>], key=lambda u: <c>)
functools.reduce(lambda u, w: u * 0.5 + w, [<t>, <t>, <t>])
paddle.stack([u * 2 for u in <t>])
paddle.stack([r for r in reversed(<t>)])
dict(zip("pq", [<t>, <t>]))["p"]
<t> * SCALE
<t> + HELD
<t> * TABLE["k"]
<t> * TABLE.get("k", 2.0) + len(TABLE)
<t> + len(LOG)
<t> + sum(QUEUE)
<t> + HEAP[0]
<t> + ORDER["a"]
<t> * CELLS[0]
<t> + float(ARRAY[1])
<t> + paddle.to_tensor(ARRAY)
BOX.scaled(<t>)
BOX.scaled(<t>, by=<n>) * 0.25
BOX.of_class(<t>) * 0.25
Box.shifted(<t>, by=<c>)
BOX(<t>)
BOX[<t>]
BOX * <t>
<t> * BOX.doubled * 0.25
<t> + BOX.virtual
<t> + sum(iter(BOX))
<t> + len(BOX)
Box(<t>).value
Box(<t>).scaled(<t>) * 0.25
Box(<n>).doubled * <t> * 0.25
<t> * RECORD.size
<t> + PAIR.total()
Pair(<t>, <t>).total()
dataclasses.replace(Pair(<t>), second=<n>).total()
helper(<t>)
helper(<t>, <c>, <t>, shift=<c>, more=1.0)
helper(*[<t>, 0.5], **{"shift": <c>})
growing(<t>) * 0.25
deep(<t>, 2)
counted(<t>)
paddle.stack(list(rows_of(<t>)))
decorated(<t>)
decorated(<t>, add=<c>)
<t> * table_of(2)[0] * 0.25
chosen_by(<t>)
<t> + chosen_by("text")
part(<t>)
NET(<t>)
NET.linear(<t>)
NET.normed(<t>)
NET.remember(<t>)
<t> * NET.calls
<t> + len(NET.state_dict())
<t> + sum(p.sum() for p in NET.parameters()).detach()
<t> * OPT.get_lr()
<t> * SCHEDULER()
<t> * MISSING["x"]
<t> + len(STACK)
<t> * paddle.to_tensor([<c>]).astype(paddle.get_default_dtype()).astype("float32")
operator.mul(<t>, <n>) * 0.25
operator.attrgetter("value")(BOX) * <t>
operator.itemgetter(1)([<t>, <t>])
getattr(BOX, "value") * <t>
<t>.tanh()
<t> ** 2 * 0.125
paddle.cumsum(<t>) * 0.5
<t>.reshape([3, 1]).sum(1)
paddle.nn.functional.relu(<t>)
paddle.sort(<t>)
""".strip().splitlines()

FLOATS = """
<c>
<c>
<m>
float(<t>.sum())
<t>.max().item()
<t>[0].item() * 2
float(<t>[1]) + <c>
<n> + <n>
<n> * 0.5
abs(<n>)
min(<n>, <c>)
max(<n>, float(<t>.mean()))
round(<n>, 1)
float(<k>)
<n> if <test> else <c>
(<n> + 8.0) % 3.0
<n> // 2.0
math.floor(<n>) * 0.5
float(int(<t>.sum()) > 2.0 ** 53)
""".strip().splitlines()

INTS = """
<j>
<j>
1
3
int(<t>.sum())
int(<t>.max()) + 1
int(<t>.sum()) * 4 % 7
int(<t>.sum()) ** 3 % 1000
(int(<t>.sum()) + 5) // 2
int(<t>.sum()) * 2 ** 62 % 1000003
(int(<t>.max()) << 40) % 97
int(<t>[0] > <c>)
len([<t>, <t>])
<k> + <k>
-<k> % 5
<t>.shape[0]
len(<t>)
sum(1 for u in <t>)
bool(<t>.sum()) + 1
int(<n>)
""".strip().splitlines()

TESTS = """
<t>.sum() > <c>
<t>.max() < <c>
<t>[0] > <t>[1]
(<t> > <c>).any()
(<t> < <c>).all()
<n> > <c>
<k> % 2 == 0
<k> > 1
<c> < <t>.sum() < 3
not <t>.sum() > <c>
<test> and <test>
<test> or <test>
<t>.sum() > <c> and <k> > 0
any(u > <c> for u in <t>)
all(u < <c> for u in <t>)
any([<test>, <test>])
bool(<t>.sum())
(w := <t>.sum()) > <c>
isinstance(<k>, int)
<t> is not None
len(LOG) > 2
1 in SEEN
"k" in TABLE
COUNT > 3
NET.training
<c> in BOX
<k> in (0, 1, 2)
""".strip().splitlines()

PLAIN_TESTS = """
SCALE > 1
COUNT % 2 == 0
len(items) > 1
"k" in TABLE
len(LOG) < 3
NET.training
isinstance(a, paddle.Tensor)
PAIR.second > 2 or BOX.count
""".strip().splitlines()

# Those that change but variables and containers of the function.
INNER = """
<v> = <t>
<v> = <t>
<v> = <t>
<v> += <t>
<v> -= <t> * 0.5
<v> *= 0.5
<v>, <v2> = <t>, <t>
<v> = <v2> = <t>
<m> = <n>
<m> = <n>
<m> += <n>
<j> = <k>
<j> += 1
<j> = <k>
<v>[0] = <c>
<v>[<k> % 3] = <n>
<v>[1:] = <t>[:2]
<v>.add_(<t>)
<v>.scale_(0.5)
<v>.clip_(-2, 2)
<v> = <v2>; <v2>.add_(paddle.ones([3]))
<v> = <t>.detach(); <v>.stop_gradient = False
items.append(<t>)
items.append(<t>)
items[-1] = <t>
items[0] = <t>; <v> = items[-1]
items.reverse()
items.pop() if len(items) > 1 else None
items += [<t>]
found["p"] = <t>
found["q"] = <n>
found.update(r=<t>)
found.setdefault("p", <t>)
found.pop("p", None)
numbers.append(<n>)
heapq.heappush(numbers, <c>)
bisect.insort(numbers, <c>)
list.append(numbers, <c>)
operator.setitem(found, "s", <t>)
words.write("w")
print("at", <k>)
print(f"{<m>:.2f} {<v>.sum().item():.1f} {<j>!r:>4}", end=";")
print(<t>.sum() > <c>)
assert <t>.sum() < 40, "too large"
assert <test> or <k> > -100
""".strip().splitlines()

OUTER = """
COUNT += 1
COUNT = <k>
SCALE = SCALE * 0.5 + 0.5
LOG.append(<n>)
LOG.append(<t>.detach())
LOG.append("said")
LOG.extend([<c>, <n>])
list.append(LOG, <c>)
LOG.pop() if LOG else None
TABLE["k"] = <n>
TABLE["new"] = <c>
TABLE.update(k=<n>)
TABLE.setdefault("z", <c>)
SEEN.add(7)
SEEN.discard(1)
QUEUE.append(<n>)
QUEUE.appendleft(<c>)
heapq.heappush(HEAP, 4)
heapq.heappop(HEAP) if len(HEAP) > 1 else None
print("to words", file=WORDS)
ARRAY[0] = <c>
ARRAY += 1
TALLY["a"] += 1
TALLY.update("ab")
GROUPS["a"].append(<c>)
GROUPS["b"]
ORDER.move_to_end("a")
ORDER["c"] = <c>
ORDER.popitem(last=False) if len(ORDER) > 2 else None
BYTES.append(100)
CELLS[1] = <c>
BOX.value = <n>
BOX.value += 0.5
BOX.count += 1
BOX.doubled = <n>
BOX["value"] = <c>
BOX.fresh = <c>
Box.shared = <c>
setattr(BOX, "value", <c>)
RECORD.size = <c>
RECORD.size += 0.5
PAIR.second = <n>
PAIR.first = <c>
STACK.append(<c>)
MISSING["y"]
HELD.add_(<t>.detach())
HELD[0] = <c>
HELD = <t>.detach()
NET.calls += 1
NET.state = <t>.detach()
NET.kept = <t>.detach()
NET.eval()
NET.train()
NET.register_buffer("late", <t>.detach())
counted(<t>)
growing(<t>)
helper.told = <c>
sys.stdout.write("out ")
<v> = next(iter([<t>, <t>]))
<v>, *others = <t>, <t>; <v> = others[0]
<v> = <t>; del items[1:]
<j> = len(items)
<j> = len(found)
<v> = sum(items) * 0.25
<v> = items[<k> % len(items)]
<v> = found.get("p", <t>)
<v> = paddle.stack(items).sum(0) * 0.25
<v>.stop_gradient = True
""".strip().splitlines()
