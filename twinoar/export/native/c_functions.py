"""What LLVM calls by name, and memory, as small functions of C; those that are used are written."""

from __future__ import annotations

from twinoar.export.native.c_values import C_TYPES

SUFFIX = {"i1": "u8", "i8": "u8", "i16": "u16", "i32": "u32", "i64": "u64",
          "float": "f32", "double": "f64", "ptr": "ptr"}  # fmt: skip
HEAD = "static inline"
MATH = {
    "sqrt": "sqrt", "floor": "floor", "ceil": "ceil", "rint": "rint", "nearbyint": "nearbyint",
    "roundeven": "rint", "trunc": "trunc", "fabs": "fabs", "copysign": "copysign",
}  # fmt: skip
COMPARED = {
    "smin": ("int", "<"),
    "smax": ("int", ">"),
    "umin": ("uint", "<"),
    "umax": ("uint", ">"),
}


def load(element: str) -> tuple[str, str]:
    """The name and the text of a function that reads an element, wherever it lies."""
    name, kind = f"load_{SUFFIX[element]}", C_TYPES[element]
    return name, (
        f"{HEAD} {kind} {name}(const char *at) {{\n"
        f"  {kind} x;\n  memcpy(&x, at, sizeof x);\n  return x;\n}}\n"
    )


def store(element: str) -> tuple[str, str]:
    """That of one which writes an element."""
    name, kind = f"store_{SUFFIX[element]}", C_TYPES[element]
    return name, f"{HEAD} void {name}(char *at, {kind} x) {{ memcpy(at, &x, sizeof x); }}\n"


def cut(source: str, bits: int, is_signed: bool) -> tuple[str, str]:
    """That of one which makes an integer of a float; what lies outside becomes the least."""
    kind, letter = ("int", "i") if is_signed else ("uint", "u")
    name = f"cut_{SUFFIX[source]}_{letter}{bits}"
    low = f"-0x1p{bits - 1}" if is_signed else "0.0"
    high = f"0x1p{bits - is_signed}"
    least = f"INT{bits}_MIN" if is_signed else "0"
    return name, (
        f"{HEAD} uint{bits}_t {name}({source} x) {{\n"
        f"  return (uint{bits}_t)(x >= ({source}){low} && x < ({source}){high} ? "
        f"({kind}{bits}_t)x : {least});\n}}\n"
    )


def intrinsic(name: str, element: str) -> tuple[str, str] | None:
    """That of one of LLVM's functions of numbers; None for one that is not known."""
    kind = C_TYPES.get(element, "")
    if name in MATH:
        own = f"{MATH[name]}{'f' if element == 'float' else ''}"
        return own, ""
    if name in COMPARED and element.startswith("i"):
        family, relation = COMPARED[name]
        made = f"{name}_{SUFFIX[element]}"
        cast = f"({family}{element[1:]}_t)"
        return made, (
            f"{HEAD} {kind} {made}({kind} a, {kind} b) "
            f"{{ return {cast}a {relation} {cast}b ? a : b; }}\n"
        )
    if name in ("maximum", "minimum"):
        made, relation = f"{name}_{SUFFIX[element]}", ">" if name == "maximum" else "<"
        first, second = ("b", "a") if name == "maximum" else ("a", "b")
        return made, (
            f"{HEAD} {kind} {made}({kind} a, {kind} b) {{\n"
            "  if (a != a) return a;\n  if (b != b) return b;\n"
            f"  if (a == b) return signbit(a) ? {first} : {second};\n"
            f"  return a {relation} b ? a : b;\n}}\n"
        )
    if name in ("maxnum", "minnum"):
        made = f"f{name[:3]}{'f' if element == 'float' else ''}"
        return made, ""
    if name in ("ctpop", "ctlz", "cttz") and element in ("i32", "i64"):
        return _counted(name, element)
    if name == "abs":
        made = f"abs_{SUFFIX[element]}"
        bits = element[1:]
        return made, (
            f"{HEAD} {kind} {made}({kind} a) "
            f"{{ return (int{bits}_t)a < 0 ? ({kind})(0u - a) : a; }}\n"
        )
    return None


def _counted(name: str, element: str) -> tuple[str, str]:
    kind, bits, made = C_TYPES[element], int(element[1:]), f"{name}_{SUFFIX[element]}"
    bit = {"ctpop": "n += x >> k & 1", "ctlz": "n = x >> k ? 0 : n + 1", "cttz": ""}[name]
    if name == "cttz":
        body = f"  while (n < {bits} && !(x >> n & 1)) n++;\n"
    elif name == "ctlz":
        body = f"  while (n < {bits} && !(x >> ({bits - 1} - n) & 1)) n++;\n"
    else:
        body = f"  for (int k = 0; k < {bits}; k++) {bit};\n"
    return made, f"{HEAD} {kind} {made}({kind} x) {{\n  {kind} n = 0;\n{body}  return n;\n}}\n"
