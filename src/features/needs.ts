import type { KeyFile } from '../accounts/key-file.ts'
import type { ModelOfTeam } from '../accounts/team-models.ts'
import type { Profiles } from '../browser/profile/profiles.ts'
import type { DocumentDeps } from '../documents/read-document.ts'
import type { MemoryPermits } from '../extraction/workers/memory-permits.ts'
import type { PageReader } from '../extraction/workers/page-reader.ts'
import type { FetchDeps } from '../fetch/fetch-page.ts'
import type { PageBounds } from '../fetch/fetch-plan.ts'
import type { HttpClient } from '../fetch/network/client.ts'
import type { FinishJob } from '../jobs/finish-jobs.ts'
import type { LeaseHolder } from '../jobs/lease-holder.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import type { Blobs } from '../platform/ports/blobs.ts'
import type { SearchDocs } from '../search/docs/search-docs.ts'
import type { Indexing } from '../search/indexing.ts'
import type { SentenceComparison } from '../search/sentence-model/compare-sentences.ts'
import type { Store } from '../store/schema.ts'

export interface Deps {
  store: Store
  blobs: Blobs
  clock: Clock
  log: Log
  holder: LeaseHolder
  recordEnding: FinishJob
  fetching: FetchDeps
  documents: DocumentDeps
  reader: PageReader
  indexing: Pick<Indexing, 'enqueue'>
  sentences: SentenceComparison | undefined
  searchDocs: SearchDocs
  memoryPermits: MemoryPermits
  bounds: { page: PageBounds; answerBytes: number }
  profiles: Profiles
  client: HttpClient
  /** Absolute path of ffmpeg. If undefined, only audio files that are already MP3 are returned. */
  ffmpeg: string | undefined
  models: ModelOfTeam
  publicUrl: () => string
  teamConcurrency: number
  teamCredits: number | undefined
  webhookSecret: string | undefined
  retentionHours: number
  version: string
  keyFile: KeyFile
}
