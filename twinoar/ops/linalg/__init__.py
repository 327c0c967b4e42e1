"""Products, decompositions and equations of matrices; norms; Fourier transforms."""
