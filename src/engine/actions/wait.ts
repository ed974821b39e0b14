import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { defineAction, selector } from './action.ts'

export const wait = defineAction({
  type: 'wait',
  description: 'Waits for a fixed time, or until an element exists; exactly one of the two.',
  isRepeated: true,
  fields: {
    milliseconds: z.int().min(1).max(60_000).optional(),
    selector: selector.optional(),
  },
  example: { milliseconds: 500 },
  problemOf: ({ milliseconds, selector: wanted }) =>
    (milliseconds === undefined) === (wanted === undefined)
      ? 'A wait needs exactly one of milliseconds and selector.'
      : undefined,
  // An element is counted as a second.
  waitingTime: ({ milliseconds }) => milliseconds ?? 1000,
  async run(page, { selector: wanted, milliseconds }, { timeoutMs, signal, whileWaiting }) {
    if (wanted !== undefined) await whileWaiting(() => page.waitForSelector(wanted, { timeout: timeoutMs }))
    else await whileWaiting(() => sleep(milliseconds ?? 0, undefined, { signal }))
  },
})
