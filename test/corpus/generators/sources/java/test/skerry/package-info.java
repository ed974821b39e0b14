/**
 * Reads tide gauges and predicts heights.
 *
 * <p>Start with {@link test.skerry.Station}, which knows its gauge. All heights are metres above chart datum.
 *
 * <h2>Threads</h2>
 * Classes of this package may be shared between threads unless they say otherwise.
 *
 * @since 1.0
 */
package test.skerry;
