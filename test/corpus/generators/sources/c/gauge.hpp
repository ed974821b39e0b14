#ifndef GAUGE_HPP
#define GAUGE_HPP

#include <string>
#include <vector>

/** @brief Everything of the library. */
namespace skerry {

/** @brief Thrown when a gauge does not answer. */
class GaugeError {
public:
  /** @brief Makes an error with the @p code of the driver. */
  explicit GaugeError(std::string code);
  /** @brief Gives the code of the driver. */
  const std::string &code() const;
};

/**
 * @brief An instrument that measures the level of the water.
 * @tparam R what one reading is
 */
template <typename R>
class Gauge {
public:
  /** Readings in a row. */
  using Readings = std::vector<R>;
  /**
   * @brief Reads what the gauge has stored.
   * @param since seconds to look back
   * @throws GaugeError if the line is dead
   * @return readings, the oldest first
   */
  virtual Readings read(long since = 0) = 0;
  /** @brief Tells whether the gauge answers. */
  bool isAlive() const noexcept;
  virtual ~Gauge() = default;

protected:
  /** Seconds between two readings. */
  int interval = 60;
};

/** @brief A gauge on a serial line. */
class SerialGauge : public Gauge<double> {
public:
  Readings read(long since = 0) override;
  /** @brief Sets the speed of the line in bits per second. */
  void setSpeed(int baud);
};

} // namespace skerry

#endif
