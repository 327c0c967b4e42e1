"""What programs import from inside Paddle, and no public module of Paddle has.

`compat.inner` says under which of Paddle's paths each name here is found. What is internal to
Paddle and means nothing here (passes, proto buffers, streams) is not among them.
"""
