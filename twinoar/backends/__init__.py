"""How Programs run: a back end is `compile(program) -> Executable`."""
