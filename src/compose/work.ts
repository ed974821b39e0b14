import type { App } from '../app.ts'
import { startReaper } from '../jobs/reaper.ts'
import { startBlobRemover } from '../jobs/remove-blobs.ts'
import { startRunner } from '../jobs/runner.ts'
import { startSweeper } from '../jobs/sweeper.ts'
import type { Poster } from '../network/post.ts'
import type { Indexing } from '../search/indexing.ts'
import type { Settings } from '../settings.ts'
import { startDeliverer } from '../webhooks/deliverer.ts'
import type { JobNeeds } from './app.ts'

interface WorkParts {
  app: App
  poster: Poster
  capacity: number
  indexing: Pick<Indexing, 'forget'>
}

/** Work that no call triggers: background jobs and deliveries, except in the role `api`, and cleaning of the store. */
export function startWork(
  settings: Settings,
  jobs: JobNeeds,
  { app, poster, capacity, indexing }: WorkParts,
) {
  const works = settings.role !== 'api'
  const { load } = jobs
  const concurrency = settings.limits.teamConcurrency
  const { hours: retentionHours, cacheDays } = settings.retention
  return {
    runner: works ? startRunner(jobs, { kinds: app.kinds, capacity, concurrency, load }) : undefined,
    deliverer: works
      ? startDeliverer({ ...jobs, poster, documentOf: app.documentOf, ...settings.webhooks })
      : undefined,
    keepers: [
      startReaper(jobs),
      startBlobRemover(jobs),
      startSweeper({ ...jobs, retentionHours, cacheDays, forgetPages: indexing.forget }),
    ],
  }
}

export type Work = ReturnType<typeof startWork>
