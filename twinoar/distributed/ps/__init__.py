"""Parameter servers: tables that processes keep, and workers pull from and push to.

`rows` and `table` are what one server keeps, `rule` how it is updated, `server` the process around
it, `client` a worker's connections; `program` makes Programs that ask servers. What users call is
in `fleet`.
"""
