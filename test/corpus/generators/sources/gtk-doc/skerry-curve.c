#include "skerry-curve.h"

/**
 * skerry_curve_at:
 * @station: name of the station
 * @time: seconds since the epoch
 *
 * Gives the height at a time, between two steps in a straight line.
 *
 * Returns: metres above chart datum
 */
double skerry_curve_at (const char *station, int time) { return 0; }

/**
 * skerry_curve_foreach:
 * @station: name of the station
 * @func: (scope call): called with each height
 * @data: handed on to @func
 *
 * Calls a function with each height of the day.
 *
 * Since: 2.0
 */
void skerry_curve_foreach (const char *station, SkerryCurveFunc func, void *data) {}
