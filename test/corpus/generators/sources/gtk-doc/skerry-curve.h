#ifndef SKERRY_CURVE_H
#define SKERRY_CURVE_H

/**
 * SECTION:skerry-curve
 * @title: Curves
 * @short_description: Heights at even steps
 *
 * A curve is asked with skerry_curve_at().
 */

/**
 * SkerryCurveFunc:
 * @time: seconds since the epoch
 * @height: metres above chart datum
 * @data: (closure): data of the caller
 *
 * Called with each height of a curve.
 */
typedef void (*SkerryCurveFunc) (int time, double height, void *data);

double skerry_curve_at (const char *station, int time);
void skerry_curve_foreach (const char *station, SkerryCurveFunc func, void *data);

#endif
