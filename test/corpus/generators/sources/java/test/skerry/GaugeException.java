package test.skerry;

/** Thrown when a gauge does not answer. */
public class GaugeException extends Exception {
    private static final long serialVersionUID = 1L;

    /** The code that the driver gave, as {@code E01}. */
    private final String code;

    /**
     * Makes an exception with a code.
     *
     * @param code the code of the driver
     * @param cause what happened below, or {@code null}
     */
    public GaugeException(String code, Throwable cause) {
        super(code, cause);
        this.code = code;
    }

    /**
     * Gives the code of the driver.
     *
     * @return the code, never empty
     */
    public String code() {
        return code;
    }
}
