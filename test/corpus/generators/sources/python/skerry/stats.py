"""Figures over many readings."""


class Series:
    """A row of heights at even steps.

    Parameters
    ----------
    heights : array_like
        Metres above chart datum.
    step : float, optional
        Hours between two heights. The default is 0.1.

    Attributes
    ----------
    range : float
        Difference between the highest and the lowest height.

    See Also
    --------
    mean : The mean of one axis.

    Notes
    -----
    Gaps are filled from the neighbours, never over more than three steps [1]_.

    References
    ----------
    .. [1] The Skerry Crew, "Gaps and how to live with them", 2024.

    Examples
    --------
    >>> series = Series([1.0, 2.0])
    >>> series.smooth(width=3)
    Series([1.0, 2.0])
    """

    def __init__(self, heights, step=0.1):
        self.heights = heights
        self.range = 0.0

    def smooth(self, width=5, *, edges="keep"):
        """Take the mean of neighbours.

        Parameters
        ----------
        width : int, optional
            How many heights to take. Must be odd.
        edges : {'keep', 'drop'}
            What happens at both ends.

        Returns
        -------
        Series
            A new series of the same step.

        Raises
        ------
        ValueError
            If the width is even.
        """
        return self

    def at(self, time):
        """Give the height at a time."""
        return 0.0


def mean(heights, axis=None, weights=None):
    """
    Compute the mean of heights.

    Parameters
    ----------
    heights : array_like
        Metres above chart datum.
    axis : int, optional
        Axis along which the mean is taken.
    weights : array_like, optional
        One weight per height.

    Returns
    -------
    mean : float
        The mean, or ``nan`` of nothing.

    Warns
    -----
    RuntimeWarning
        If there is nothing to take the mean of.
    """
    return 0.0
