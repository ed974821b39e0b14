import { bestEffort } from '../../base/best-effort.ts'
import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import type { NowOrLater } from '../../base/now-or-later.ts'
import { learn } from '../../reading/learned/learn.ts'
import { parseMemory } from '../../reading/learned/memory.ts'
import type { Observation } from '../../reading/learned/observe.ts'
import { changeLearned, findLearned, type LearnedKey } from '../../store/learned.ts'
import type { Store } from '../../store/schema.ts'

/** What teams have learned of sites. */
export interface LearnedPlaces {
  find(key: LearnedKey): Promise<string | undefined>
  /** Stores what a page teaches. Never fails: the page is already read. */
  learn(key: LearnedKey, observe: () => NowOrLater<Observation | undefined>): Promise<void>
}

export function learnedPlaces({
  store,
  clock,
  log,
}: {
  store: Store
  clock: Clock
  log: Log
}): LearnedPlaces {
  return {
    find: (key) =>
      bestEffort(log, 'learned places could not be read; the page is read without them', () =>
        findLearned(store.query, key, clock.now()),
      ),
    learn: (key, observe) =>
      bestEffort(log, 'what a page teaches could not be stored', async () => {
        const observation = await observe()
        if (!observation) return
        const change = (memory: string | undefined) => JSON.stringify(learn(parseMemory(memory), observation))
        await changeLearned(store, key, { now: clock.now(), change })
      }),
  }
}
