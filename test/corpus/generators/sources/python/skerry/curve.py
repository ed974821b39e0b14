"""Curves of predicted heights."""

from typing import Iterator


def predict(station: str, days: int = 1, *, step: float = 0.1) -> Iterator[float]:
    """Predicts heights at even steps.

    1. Reads the constituents.
    2. Adds one wave per constituent.
    """
    yield 0.0


def window(heights: list[float], draught: float) -> tuple[int, int]:
    """Finds when there is water enough."""
    return (0, 0)
