import { bucket } from '../../base/bucket.ts'

export interface MessagePace {
  /** Counts a message of this length; false if there are too many at the moment. */
  take(length: number): boolean
  /** Settles when there is room for another one. */
  rested(): Promise<void>
  /** Counts one that was refused. */
  refuse(): 'bearable' | 'flood'
}

/** Of all guests of a browser together: more than any driver sends, and a small part of what the service can handle. */
const usual = { perSecond: 4000, atOnce: 8000 }
/** Drivers send a few of them; a client that sends this many is abusive. */
const refused = { perSecond: 100, atOnce: 10_000 }
/** A long message counts as several. */
const lengthOfOne = 10_000

export function messagePace(): MessagePace {
  const messages = bucket(usual)
  const refusals = bucket(refused)
  return {
    take: (length) => messages.take(1 + length / lengthOfOne) >= 0,
    async rested() {
      const wait = messages.wait()
      if (wait > 0) await new Promise((resolve) => setTimeout(resolve, wait))
    },
    refuse: () => (refusals.take(1) < 0 ? 'flood' : 'bearable'),
  }
}
