package test.skerry;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** Marks a field whose value comes from an instrument. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.FIELD)
public @interface Measured {
    /**
     * The unit of the value.
     *
     * @return a unit of the international system
     */
    String unit();

    /**
     * How many digits behind the point are real.
     *
     * @return two if nothing else is said
     */
    int digits() default 2;
}
