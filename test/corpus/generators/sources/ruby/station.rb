# frozen_string_literal: true

##
# Reads tide gauges and predicts heights.
#
# == Overview
#
# A Skerry::Station has a Skerry::Gauge, and a gauge gives readings:
#
#   station = Skerry::Station.named("hallig")
#   station.gauge.read(since: 3600) do |reading|
#     puts reading.height
#   end
#
# Heights are metres above chart datum.
module Skerry
  # The version of the library.
  VERSION = "2.3.0"

  # Seconds between two readings.
  INTERVAL = 60

  ##
  # Raised when a gauge does not answer.
  #
  # [E01] The line is dead.
  # [E07] The clock is off.
  class GaugeError < StandardError
    # The code of the driver.
    attr_reader :code

    # Makes an error with the code of the driver.
    def initialize(code)
      super("gauge: #{code}")
      @code = code
    end
  end

  ##
  # A place with a name, a position and perhaps a gauge.
  #
  # Stations are found by their name:
  #
  #   Skerry::Station.named("hallig")
  #
  # === What a station knows
  #
  # * its position
  #   * latitude
  #   * longitude
  # * the height of its sill
  class Station
    include Comparable

    # The name, in lower case.
    attr_reader :name

    # Height of the sill in metres, or +nil+ where there is none.
    attr_accessor :sill

    ##
    # Finds a station by its name.
    #
    # Raises ArgumentError if no station has that name.
    def self.named(name)
      new(name.downcase)
    end

    # Makes a station without a gauge.
    def initialize(name, sill: nil)
      @name = name
      @sill = sill
    end

    # Compares by name.
    def <=>(other)
      name <=> other.name
    end

    ##
    # :call-seq:
    #   window(draught) -> range or nil
    #   window(draught, margin: 0.5) -> range or nil
    #
    # Finds when there is water enough above the sill.
    #
    # +draught+:: draught of the boat in metres
    # +margin+::  what should stay below the keel
    def window(draught, margin: 0.3)
      sill && (draught + margin..)
    end

    # Opens the gauge of this station.
    def gauge
      Gauge.new(self)
    end
  end

  ##
  # An instrument that measures the level of the water.
  #
  # Gauges are Enumerable over their readings.
  class Gauge
    include Enumerable

    # The oldest gauge that is supported.
    OLDEST = 1987

    # Makes the gauge of a station.
    def initialize(station)
      @station = station
    end

    # Calls the block with each reading, the oldest first.
    def each
      yield 1.0
    end

    ##
    # Reads what the gauge has stored.
    #
    # Example:
    #
    #   gauge.read(since: 60).first
    #
    # Raises GaugeError if the line is dead.
    def read(since: 0)
      to_a
    end

    alias readings read
  end

  # Helpers for curves of predicted heights.
  module Curves
    # Predicts heights at even steps for so many +days+.
    def self.predict(station, days: 1, step: 0.1)
      []
    end

    # Gives the highest of the heights.
    def highest(heights)
      heights.max
    end
  end
end
