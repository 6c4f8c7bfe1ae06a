"""Data to select from: generators with known relevant columns, and real data with a registry."""

from snelfs.datasets.microarray import (
    Microarray,
    MicroarrayFacts,
    list_microarray,
    load_microarray,
    microarray_facts,
)
from snelfs.datasets.survival import make_survival
from snelfs.datasets.synthetic import Sample, make_friedman, make_linear, make_madelon, make_xor

__all__ = [
    "Microarray",
    "MicroarrayFacts",
    "Sample",
    "list_microarray",
    "load_microarray",
    "make_friedman",
    "make_linear",
    "make_madelon",
    "make_survival",
    "make_xor",
    "microarray_facts",
]
