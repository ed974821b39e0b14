package test.skerry;

import java.util.Optional;

/**
 * A place with a name, a position and perhaps a gauge.
 *
 * <p>Stations are made by {@link #named(String)} and never change. Two stations are equal if their names are.
 *
 * <table class="striped">
 * <caption>What a station knows</caption>
 * <thead><tr><th scope="col">Fact</th><th scope="col">Unit</th></tr></thead>
 * <tbody>
 * <tr><th scope="row">latitude</th><td>degrees north</td></tr>
 * <tr><th scope="row">sill</th><td>metres above datum</td></tr>
 * </tbody>
 * </table>
 *
 * @author The Skerry Crew
 * @since 1.0
 */
public final class Station implements Comparable<Station> {
    /** The name of the sample that comes with the package. */
    public static final String SAMPLE = "hallig";

    /** Height of the sill, or {@code NaN} where there is none. */
    public final double sill;

    private final String name;

    /**
     * Makes a station without a gauge.
     *
     * @param name the name, in any case
     * @param sill height of the sill in metres
     */
    public Station(String name, double sill) {
        this.name = name;
        this.sill = sill;
    }

    /**
     * Finds a station by its name.
     *
     * @param name the name, in any case
     * @return the station
     * @throws IllegalArgumentException if no station has that name
     */
    public static Station named(String name) {
        return new Station(name, Double.NaN);
    }

    /**
     * Opens the gauge of this station.
     *
     * @return a gauge that has to be closed
     */
    public Gauge<Reading> gauge() {
        throw new UnsupportedOperationException();
    }

    /**
     * Finds when there is water enough above the sill.
     *
     * @param draught draught of the boat in metres
     * @param margin what should stay below the keel
     * @return the first such reading of the day, if there is one
     */
    public Optional<Reading> window(double draught, double margin) {
        return Optional.empty();
    }

    @Override
    public int compareTo(Station other) {
        return name.compareTo(other.name);
    }
}
