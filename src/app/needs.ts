import type { KeyFile } from '../accounts/key-file.ts'
import type { ModelOfTeam } from '../accounts/team-models.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Profiles } from '../browser/profile/profiles.ts'
import type { DocumentNeeds } from '../documents/read-document.ts'
import type { FetchNeeds } from '../engine/fetch-page.ts'
import type { PageBounds } from '../engine/fetch-plan.ts'
import type { Capability } from '../features/capabilities.ts'
import type { FileShelf } from '../features/files.ts'
import type { Condition } from '../features/operator/overview.ts'
import type { CacheSpace, PageCache } from '../features/scrape/cache.ts'
import type { LookUpNeeds } from '../features/search/look-up.ts'
import type { ObserveEnd } from '../jobs/ended-job.ts'
import type { RecordEnding } from '../jobs/endings.ts'
import type { foreground } from '../jobs/foreground.ts'
import type { Holder } from '../jobs/holder.ts'
import type { Load } from '../jobs/load.ts'
import type { ParentHooks } from '../jobs/parent-job.ts'
import type { Queue } from '../jobs/queue.ts'
import type { KeyedCaller, onceByKey } from '../jobs/run-once.ts'
import type { HttpClient } from '../network/client.ts'
import type { Guard } from '../network/guard.ts'
import type { PageReader } from '../page-threads/page-reader.ts'
import type { PageRooms } from '../page-threads/page-rooms.ts'
import type { Blobs } from '../ports/blobs.ts'
import type { SearchDocs } from '../search/docs/search-docs.ts'
import type { Indexing } from '../search/indexing.ts'
import type { SentenceComparison } from '../search/sentence-model/compare-sentences.ts'
import type { Store } from '../store/schema.ts'
import type { JobKinds } from './kinds.ts'
import type { SessionSetup } from './sessions.ts'

/** The dependencies of the app. */
export interface AppNeeds {
  store: Store
  blobs: Blobs
  clock: Clock
  log: Log
  holder: Holder
  recordEnding: RecordEnding
  parentHooks: ParentHooks
  load: Load
  observeEnd?: ObserveEnd
  fetching: FetchNeeds
  documents: DocumentNeeds
  reader: PageReader
  indexing: Pick<Indexing, 'offer' | 'settled'>
  searching: LookUpNeeds
  sentences: SentenceComparison | undefined
  /** The folder that has `README.md` and `docs`. */
  docsRoot: string
  /** Finds sections of the documentation of this service. */
  searchDocs: SearchDocs
  rooms: PageRooms
  bounds: { page: PageBounds; answerBytes: number }
  hasEnhancedProxy: boolean
  profiles: Profiles
  client: HttpClient
  guard: Guard
  ffmpeg: string | undefined
  models: ModelOfTeam
  /** Tokens of the language model that a team may use per day; 0: no limit. */
  modelTokensPerDay: number
  sessions: SessionSetup
  publicUrl: () => string
  teamConcurrency: number
  /** What a new team starts with; undefined: no limit. */
  teamCredits: number | undefined
  /** WEBHOOK_SECRET. */
  webhookSecret: string | undefined
  /** Calls that start work and that a team may make per minute. */
  ratePerMinute: number
  /** How long one question to the support agent may take. */
  supportMs: number
  /** Trials of the support agent for one team per day. */
  supportTrialsPerDay: number
  retentionHours: number
  cacheSpace: CacheSpace
  /** How long a job takes feedback, and how many credits a team gets back for it per day. */
  feedback: { windowMs: number; dailyRefunds: number }
  version: string
  condition: Condition
  keyFile: KeyFile
  /** As they are at the moment: what is tested in the background may still change. */
  capabilities: () => Capability[]
}

/** A caller that waits for its response. */
export type WaitingCaller = Pick<KeyedCaller, 'signal' | 'idempotencyKey'>

/** What use cases are bound to: the dependencies of the app, and what the use cases share. */
export interface Bound extends AppNeeds {
  cache: PageCache
  files: FileShelf
  kinds: JobKinds
  /** Runs a job whose caller waits for it. */
  runNow: ReturnType<typeof foreground>
  /** The same, once per idempotency key: the result may be the recorded one of an earlier call. */
  runOnce: ReturnType<typeof onceByKey>
  queue: Queue
}
