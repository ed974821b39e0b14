import type { Clock } from '../../base/clock.ts'
import type { Log } from '../../base/log.ts'
import { learn } from '../../reading/learned/learn.ts'
import { parseMemory } from '../../reading/learned/memory.ts'
import type { Observation } from '../../reading/learned/observe.ts'
import { changeLearned, findLearned, type LearnedKey } from '../../store/learned.ts'
import type { Store } from '../../store/schema.ts'

/** What teams have learned of sites. */
export interface LearnedPlaces {
  find(key: LearnedKey): Promise<string | undefined>
  learn(key: LearnedKey, observation: Observation): Promise<void>
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
    find: (key) => findLearned(store.query, key, clock.now()),
    async learn(key, observation) {
      const change = (memory: string | undefined) => JSON.stringify(learn(parseMemory(memory), observation))
      // The page was read; that the next one has to be read without its help is no reason to fail.
      await changeLearned(store, key, { now: clock.now(), change }).catch((cause: unknown) =>
        log.warn({ cause }, 'what a page teaches could not be kept'),
      )
    },
  }
}
