#ifndef SKERRY_STATION_H
#define SKERRY_STATION_H

/**
 * SECTION:skerry-station
 * @title: SkerryStation
 * @short_description: A place with a name and perhaps a gauge
 * @see_also: #SkerryReading
 * @stability: Stable
 *
 * A station is made by skerry_station_new() and never changes.
 *
 * # Names # {#names}
 *
 * - short names are those of the chart
 * - long names have a point
 *
 * |[<!-- language="C" -->
 * SkerryStation *station = skerry_station_new ("hallig", 1.2);
 * skerry_station_free (station);
 * ]|
 */

/**
 * SKERRY_SAMPLE:
 *
 * The name of the sample station.
 *
 * Since: 1.0
 */
#define SKERRY_SAMPLE "hallig"

/**
 * SkerryQuality:
 * @SKERRY_QUALITY_GOOD: Measured and checked.
 * @SKERRY_QUALITY_DOUBTFUL: Measured by a gauge whose clock is off.
 *
 * How far a reading can be trusted.
 */
typedef enum {
  SKERRY_QUALITY_GOOD,
  SKERRY_QUALITY_DOUBTFUL
} SkerryQuality;

/**
 * SkerryReading:
 * @time: seconds since the epoch
 * @height: metres above chart datum
 *
 * One level at one time.
 */
typedef struct {
  int time;
  double height;
} SkerryReading;

typedef struct _SkerryStation SkerryStation;

SkerryStation *skerry_station_new (const char *name, double sill);
void skerry_station_free (SkerryStation *station);
int skerry_station_read (SkerryStation *station, SkerryReading *readings, int count);
SkerryQuality skerry_station_get_quality (SkerryStation *station);

#endif
