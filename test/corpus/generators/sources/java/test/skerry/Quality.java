package test.skerry;

/** How far a reading can be trusted. */
public enum Quality {
    /** Measured and checked. */
    GOOD,
    /** Filled in from the neighbours, no more than three in a row. */
    INTERPOLATED,
    /** Measured by a gauge whose clock is off. */
    DOUBTFUL;

    /**
     * Gives the letter that files use.
     *
     * @return {@code G}, {@code I} or {@code D}
     */
    public char letter() {
        return name().charAt(0);
    }
}
