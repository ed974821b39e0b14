import type { Capability } from '../../features/capabilities.ts'
import type { FileStorage } from '../../features/file-storage.ts'
import type { Deps } from '../../features/needs.ts'
import type { Condition } from '../../features/operator/overview.ts'
import type { CacheSpace, PageCache } from '../../features/scrape/cache.ts'
import type { SourceQueryDeps } from '../../features/search/query-sources.ts'
import type { Guard } from '../../fetch/network/guard.ts'
import type { ObserveEnd } from '../../jobs/ended-job.ts'
import type { ParentHooks } from '../../jobs/finish-parent.ts'
import type { foreground } from '../../jobs/foreground.ts'
import type { Load } from '../../jobs/load-limiter.ts'
import type { Queue } from '../../jobs/queue.ts'
import type { KeyedCaller, onceByKey } from '../../jobs/run-once.ts'
import type { Indexing } from '../../search/indexing.ts'
import type { JobKinds } from './kinds.ts'
import type { SessionSetup } from './sessions.ts'

/** The dependencies of the app. */
export interface AppDeps extends Deps {
  parentHooks: ParentHooks
  load: Load
  observeEnd?: ObserveEnd
  indexing: Pick<Indexing, 'offer' | 'settled'>
  searching: SourceQueryDeps
  /** The folder that has `README.md` and `docs`. */
  docsRoot: string
  hasEnhancedProxy: boolean
  guard: Guard
  /** Tokens of the language model that a team may use per day; 0: no limit. */
  modelTokensPerDay: number
  sessions: SessionSetup
  /** Calls that start work and that a team may make per minute. */
  ratePerMinute: number
  /** How long one question to the support agent may take. */
  supportMs: number
  /** Trials of the support agent for one team per day. */
  supportTrialsPerDay: number
  cacheSpace: CacheSpace
  /** How long a job takes feedback, and how many credits a team gets back for it per day. */
  feedback: { windowMs: number; dailyRefunds: number }
  condition: Condition
  /** As they are at the moment: what is tested in the background may still change. */
  capabilities: () => Capability[]
}

/** A caller that waits for its response. */
export type WaitingCaller = Pick<KeyedCaller, 'signal' | 'idempotencyKey'>

/** What use cases are bound to: the dependencies of the app, and what the use cases share. */
export interface Bound extends AppDeps {
  cache: PageCache
  files: FileStorage
  kinds: JobKinds
  /** Runs a job whose caller waits for it. */
  runNow: ReturnType<typeof foreground>
  /** The same, once per idempotency key: the result may be the recorded one of an earlier call. */
  runOnce: ReturnType<typeof onceByKey>
  queue: Queue
}
