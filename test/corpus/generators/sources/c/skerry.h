/**
 * @file skerry.h
 * @brief Reads tide gauges and predicts heights.
 *
 * Heights are metres above chart datum.
 */
#ifndef SKERRY_H
#define SKERRY_H

#include <stddef.h>

/** Seconds between two readings. */
#define SKERRY_INTERVAL 60

/**
 * @brief How far a reading can be trusted.
 */
enum skerry_quality {
  SKERRY_GOOD,         /**< Measured and checked. */
  SKERRY_INTERPOLATED, /**< Filled in from the neighbours. */
  SKERRY_DOUBTFUL      /**< Measured by a gauge whose clock is off. */
};

/**
 * @brief One level at one time.
 */
struct skerry_reading {
  long time;                   /**< Seconds since the epoch. */
  double height;               /**< Metres above chart datum. */
  enum skerry_quality quality; /**< How far it can be trusted. */
};

/** @brief A function that hears of each reading. */
typedef void (*skerry_listener)(const struct skerry_reading *reading, void *data);

/**
 * @brief Reads what a gauge has stored.
 *
 * The oldest reading comes first.
 *
 * @param station name of the station
 * @param readings where to put them
 * @param count room for so many readings
 * @return how many were read, or -1
 *
 * @code
 * struct skerry_reading readings[10];
 * int count = skerry_read("hallig", readings, 10);
 * @endcode
 *
 * @warning Do not call this more than once a second.
 * @see skerry_watch
 */
int skerry_read(const char *station, struct skerry_reading *readings, size_t count);

/**
 * @brief Follows a gauge until the listener is gone.
 *
 * @param station name of the station
 * @param listener called with each reading
 * @param data handed on to the listener
 * @retval 0 the listener was taken
 * @retval -1 no such station
 * @deprecated Call skerry_read() in a loop.
 */
int skerry_watch(const char *station, skerry_listener listener, void *data);

/**
 * @brief Predicts the height at a time.
 *
 * | Argument | Unit |
 * | -------- | ---- |
 * | time | seconds |
 *
 * @param[in] station name of the station
 * @param[in] time seconds since the epoch
 * @param[out] height metres above chart datum
 */
void skerry_predict(const char *station, long time, double *height);

#endif
