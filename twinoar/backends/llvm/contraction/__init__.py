"""Sums of products of our own: matrix products and convolutions in all directions, as one kernel.

Everything here is C[i,j] = sum over k of A[i,k] B[k,j], where tables say where elements lie: A[i,k]
is at rows[i] + inner[k]. Strides, transposed views and the windows of a convolution are only other
tables, so nothing is copied for their sake (Matthews 2016, arXiv 1607.00291).

    table       Contraction: the tables; of a matrix product
    window      the tables of a convolution and of its gradients
    tile        the innermost kernel: some rows of C in registers, with LLVM's vector types
    product     the loops around it, which keep what is used again in the caches
    pack        B as panels, in the order in which a tile reads it; a copy with a border of zeros
    text        what these print with
    plan        which kernels run a Contraction
    launch      a kernel and its arguments, before it is known where these lie

The loops and the panels are those of Goto and van de Geijn 2008, doi 10.1145/1356052.1356053, and
of BLIS, doi 10.1145/2764454; A is not packed, its elements are broadcast from where they lie. One
kernel of an element type serves all sizes.
"""
