"""What goes wrong."""


class GaugeError(Exception):
    """Raised when a gauge does not answer."""

    code: str
    """The code of the driver, as `E01`."""


class ClockError(GaugeError):
    """Raised when the clock of a gauge is off."""
