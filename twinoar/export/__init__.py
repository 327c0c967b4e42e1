"""Functions and layers as files that run without their code: saved, proved, loaded."""
