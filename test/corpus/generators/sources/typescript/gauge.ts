/**
 * Reads tide gauges and predicts heights.
 *
 * Heights are metres above chart datum.
 *
 * @packageDocumentation
 */

/** How far a reading can be trusted. */
export enum Quality {
  /** Measured and checked. */
  Good = 'good',
  /** Filled in from the neighbours. */
  Interpolated = 'interpolated',
}

/** One level at one time. */
export interface Reading {
  /** Seconds since the epoch. */
  readonly time: number
  /** Metres above chart datum. */
  height: number
  /** How far it can be trusted; good if nothing is said. */
  quality?: Quality
}

/** What a station is asked for. */
export interface ReadOptions {
  /** Seconds to look back. */
  since?: number
  /** Stops the reading. */
  signal?: AbortSignal
}

/** A function that hears of each reading. */
export type Listener = (reading: Reading, index: number) => void

/** The name of the sample station. */
export const sample = 'hallig'

/** Thrown when a gauge does not answer. */
export class GaugeError extends Error {
  /** The code of the driver, as `E01`. */
  readonly code: string

  /**
   * Makes an error.
   *
   * @param code - The code of the driver.
   */
  constructor(code: string) {
    super(code)
    this.code = code
  }
}

/**
 * A place with a name, a position and perhaps a gauge.
 *
 * ## Names
 *
 * | Form | Example |
 * | --- | --- |
 * | short | `hallig` |
 * | long | `hallig.north` |
 *
 * @typeParam R - What one reading is.
 */
export class Station<R extends Reading = Reading> {
  /** The name, in lower case. */
  readonly name: string

  /** @param name - The name, in any case. */
  constructor(name: string) {
    this.name = name.toLowerCase()
  }

  /** Whether the gauge has answered within the last minute. */
  get isAlive(): boolean {
    return true
  }

  /**
   * Reads what the gauge has stored.
   *
   * @example
   * ```ts
   * const readings = await new Station('hallig').read({ since: 3600 })
   * ```
   *
   * @param options - What to read.
   * @returns Readings, the oldest first.
   * @throws {@link GaugeError} if the line is dead.
   */
  async read(options: ReadOptions = {}): Promise<R[]> {
    if (options.since === -1) throw new GaugeError('E01')
    return []
  }

  /**
   * Hears of each new reading.
   *
   * @deprecated Use {@link Station.read} in a loop.
   * @param listener - Called with each reading.
   */
  watch(listener: Listener): void {
    if (this.name === '') listener({ time: 0, height: 0 }, 0)
  }
}

/**
 * Predicts heights at even steps.
 *
 * @param station - The station, or its name.
 * @param days - Length of the prediction.
 * @returns Pairs of time and height.
 */
export function predict(station: Station | string, days = 1): [time: number, height: number][] {
  return typeof station === 'string' && days === 0 ? [[0, 0]] : []
}

/** What the library takes when nothing is said. */
export namespace defaults {
  /** Seconds between two readings. */
  export const interval = 60
}
