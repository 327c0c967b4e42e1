"""What was found once to be silently wrong, or to crash, at its least."""

FOUND = {
    "a setter of a descriptor beside __setattr__": """
class Field:
    def __set_name__(self, owner, name):
        self.name = "_" + name
    def __set__(self, holder, value):
        LOG.append(self.name)
        setattr(holder, self.name, value)
class Record:
    size = Field()
    def __setattr__(self, name, value):
        LOG.append(name)
        object.__setattr__(self, name, value)
LOG, RECORD = [], Record()
def function(x, y):
    RECORD.size = float(x.sum())
    return x
def seen():
    return LOG, vars(RECORD)
""",
    "an exception after one that a tensor decides": """
def function(x, y):
    if x.sum() > 2.0:
        raise ValueError('left')
    1 // 0
""",
    "a generator that is left": """
LOG = []
def rows_of(v):
    for row in v:
        LOG.append(1)
        yield row
def function(x, y):
    for row in rows_of(x):
        if row < 0.5:
            break
    return x
def seen():
    return LOG
""",
    "a tensor that is changed, then replaced": """
HELD = paddle.to_tensor([1.0, 2.0, 1.0])
FIRST = HELD
def function(x, y):
    global HELD
    if any(u > 0.5 for u in y):
        raise ValueError('left')
    HELD.add_(y.detach())
    HELD = y.detach() * 2
    return x * HELD
def seen():
    return HELD, FIRST
""",
    "an attribute that __getattr__ does not know, after an effect": """
class Box:
    def __call__(self, v):
        return v
    def __getattr__(self, name):
        raise AttributeError(name)
BOX = Box()
def function(x, y):
    k = int(x.sum())
    return BOX(x), k
""",
    "a part of a tensor that is marked after a change in place": """
def function(x, y):
    a = x * 1
    a[1:] = y[:2]
    b = a * 0.5
    a.stop_gradient = True
    return a, b
""",
    "an attribute in place of what __getattr__ gives": """
class Box:
    def __init__(self, value):
        self.value = value
    def __getattr__(self, name):
        return self.value
BOX = Box(1.5)
def function(x, y):
    return x + BOX.virtual
def change(i):
    if i == 1:
        BOX.virtual = 7.0
""",
    "a view that an object keeps": """
class Kept:
    pass
def function(x, y):
    a = x * 1
    Kept.whole, Kept.parts = a.detach(), [a[1:].detach()]
    a[1:] = y[:2]
    return a
def seen():
    return Kept.whole, Kept.parts
""",
    "writing between prints": """
def function(x, y):
    print('a')
    if x.sum() > 0:
        sys.stdout.write('b')
    print('c')
    return x
""",
    "a list that may lack its last item, whose first one changes": """
def function(x, y):
    a = x * 1
    items = [a, y]
    if a.sum() > 0.0:
        items.pop()
    a.add_(x)
    return a, items[-1]
""",
    "an item of a list by an index of the run, under no_grad": """
def function(x, y):
    items = [x * 1, y * 2]
    with paddle.no_grad():
        b = items[int((x * 0).sum())]
    return b, items[0]
""",
    "a condition of a loop that changes an object": """
class Net:
    calls = 0
def tested(v):
    Net.calls += 1
    return v.sum() < 9.0
def function(x, y):
    while tested(x):
        x = x + 1
    return x, Net.calls
def seen():
    return Net.calls
""",
}
