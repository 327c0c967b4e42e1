"""The words of memory that a flight and a board are: where in them each thing stands.

`flight` and `board` lay them out, the text of `flight_text` and `board_text` reads them.
"""

from __future__ import annotations

# Words of the head.
LANES, LANE_COUNT, BASE, NEXT, WINDOW, GATE, COMM, BYTE, TEST, ERROR, LOOK, PROBE = range(12)
STATUS, FLAG = 12, 20  # room for MPI's status, and for what MPI_Test answers
NEIGHBOR, QUICK_LOOKS = 21, 22  # another rank; how often a wait looks before it gives way
HEAD_WORDS = 24
# Words of a lane, of a stage and of a message.
STAGES, STAGE_COUNT, STAGE, TESTED, LANE_WORDS = range(5)
MESSAGES, MESSAGE_COUNT, BEFORE, BEFORE_WORDS, AFTER, AFTER_WORDS = range(6)
BOARD, SEQUENCE, BOARD_BYTES, STAGE_WORDS = *range(6, 9), 10  # its messages are frames then
FUNCTION, ADDRESS, BYTES, PEER, TAG, REQUEST, MESSAGE_WORDS = *range(6), 8
# What stands in ERROR: ranks call different things, `look` has raised, MPI has failed.
DIFFERENT, LOOKED, FAILED = 1, 2, 3
# Words of a board: the number of the next frame, who this is, where the lines of each rank begin,
# and the flights whose frames are not read yet.
NEXT_FRAME, OWN_RANK, STARTS = 0, 1, 2
SLOTS = 512  # frames of a rank that are there at once
SLOT_BYTES = 128  # the number of a frame, then the frame: two lines of a cache
LATE = SLOTS // 2  # a frame so old is read before others are written


def field(name: str, of: str, index: int, kind: str) -> str:
    """The text that loads a word, and what it is called there."""
    return (
        f"  %{name}.at = getelementptr i64, ptr %{of}, i64 {index}\n"
        f"  %{name} = load {kind}, ptr %{name}.at\n"
    )
