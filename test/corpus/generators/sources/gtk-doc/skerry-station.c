#include "skerry-station.h"

/**
 * SkerryStation:
 *
 * A station. All its fields are private.
 */

/**
 * skerry_station_new:
 * @name: the name, in any case
 * @sill: height of the sill in metres
 *
 * Makes a station without a gauge.
 *
 * Returns: (transfer full): a new #SkerryStation. Free it with skerry_station_free().
 *
 * Since: 1.0
 */
SkerryStation *skerry_station_new (const char *name, double sill) { return 0; }

/**
 * skerry_station_free:
 * @station: (transfer full): a #SkerryStation
 *
 * Frees a station and closes its gauge.
 */
void skerry_station_free (SkerryStation *station) {}

/**
 * skerry_station_read:
 * @station: a #SkerryStation
 * @readings: (out) (array length=count): where to put the readings
 * @count: room for so many readings
 *
 * Reads what the gauge has stored. The oldest reading comes first.
 *
 * Returns: how many were read, or -1
 *
 * Deprecated: 2.1: Use a curve instead.
 */
int skerry_station_read (SkerryStation *station, SkerryReading *readings, int count) { return 0; }

/**
 * skerry_station_get_quality:
 * @station: a #SkerryStation
 *
 * Says how far the gauge can be trusted.
 *
 * Returns: %SKERRY_QUALITY_GOOD if its clock is right
 */
SkerryQuality skerry_station_get_quality (SkerryStation *station) { return 0; }
