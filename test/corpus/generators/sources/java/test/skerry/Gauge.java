package test.skerry;

import java.time.Duration;
import java.util.List;

/**
 * An instrument that measures the level of the water.
 *
 * @param <R> what one reading is
 */
public interface Gauge<R extends Reading> extends AutoCloseable {
    /** Seconds between two readings when nothing else is asked for. */
    int DEFAULT_INTERVAL = 60;

    /**
     * Reads what the gauge has stored.
     *
     * <pre>{@code
     * try (Gauge<Reading> gauge = Station.named("hallig").gauge()) {
     *     gauge.read(Duration.ofHours(1)).forEach(System.out::println);
     * }
     * }</pre>
     *
     * @param since how far to look back; must not be negative
     * @return readings, the oldest first
     * @throws GaugeException if the line is dead
     * @see Station#gauge()
     */
    List<R> read(Duration since) throws GaugeException;

    /**
     * Tells whether the gauge answers.
     *
     * @return {@code true} if a reading arrived within the last interval
     */
    default boolean isAlive() {
        return true;
    }

    /**
     * Sets the speed of the line.
     *
     * @param baud bits per second
     * @deprecated Gauges find the speed themselves since version 2.
     */
    @Deprecated(since = "2.0", forRemoval = true)
    void setSpeed(int baud);
}
