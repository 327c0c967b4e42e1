"""Random programs of ranks that may not fit together, and what has to come of them.

    python -m tests.distributed.misuse --seed 1000 --count 1000
    python -m tests.distributed.misuse --processes 3 --seed 1000 --count 100

Each rank makes random collectives in random groups; in most programs some rank makes a mistake:
another shape, dtype, root, order or group, a call too few or too many, one that is refused, an end.
What has to come of it: equal right results, or an error of ours, and never a hang. The second form
runs them in processes of an MPI job. Ends with 1 where something else came, and shows it.
"""
