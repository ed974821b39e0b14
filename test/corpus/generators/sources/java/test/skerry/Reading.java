package test.skerry;

import java.time.Instant;

/**
 * One level at one time.
 *
 * @param time when the level was measured
 * @param height metres above chart datum
 * @param quality how far the reading can be trusted
 */
public record Reading(Instant time, double height, Quality quality) {
    /**
     * Makes a good reading of now.
     *
     * @param height metres above chart datum
     */
    public Reading(double height) {
        this(Instant.now(), height, Quality.GOOD);
    }

    /**
     * Compares the height with that of another reading.
     *
     * @param other the other reading
     * @return metres by which this one is higher
     */
    public double above(Reading other) {
        return height - other.height;
    }
}
