"""
Reads tide gauges and predicts heights.

# First steps

```python
import skerry

print(skerry.read("hallig")[-1])
```

Heights are metres above chart datum.

- `skerry.curve` predicts
- `skerry.errors` names what goes wrong
"""

from __future__ import annotations

from dataclasses import dataclass

SAMPLE: str = "hallig"
"""The name of the sample station."""


@dataclass
class Reading:
    """One level at one time."""

    time: int
    """Seconds since the epoch."""
    height: float = 0.0
    """Metres above chart datum."""

    def above(self, other: Reading) -> float:
        """Says by how many metres this reading is above another."""
        return self.height - other.height


class Station:
    """A place with a name and perhaps a gauge.

    | Fact | Unit |
    | --- | --- |
    | latitude | degrees north |
    | sill | metres above datum |
    """

    def __init__(self, name: str, sill: float | None = None):
        """Makes a station without a gauge."""
        self.name = name
        self.sill = sill

    @property
    def is_alive(self) -> bool:
        """Whether the gauge has answered within the last minute."""
        return True

    @classmethod
    def named(cls, name: str) -> Station:
        """Finds a station by its name."""
        return cls(name)


def read(station: str, since: int = 0) -> list[Reading]:
    """Reads what a gauge has stored.

    The oldest reading comes first. `since` is in seconds.
    """
    return []
