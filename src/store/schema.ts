import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../platform/ports/database.ts'
import type { CallDayTable, KeyTable, LedgerTable, RateTable, TeamTable } from './account-tables.ts'

/**
 * Types of all tables. Times are integer milliseconds, flags are 0 or 1, and structured values are JSON text, because
 * SQLite and PostgreSQL represent these types differently.
 */
export interface Tables {
  teams: TeamTable
  keys: KeyTable
  ledger: LedgerTable
  rates: RateTable
  jobs: JobTable
  idempotency: IdempotencyTable
  pages: PageTable
  snapshots: SnapshotTable
  snapshot_versions: SnapshotVersionTable
  files: FileTable
  secrets: SecretTable
  site_files: SiteFileTable
  crawls: CrawlTable
  frontier: FrontierTable
  webhooks: WebhookTable
  deliveries: DeliveryTable
  sessions: SessionTable
  profiles: ProfileTable
  search_pending: PendingRow
  feedback: FeedbackRow
  refunds: RefundTable
  model_usage: ModelUsageTable
  /** Written by earlier versions. A later version drops it. */
  learned: LearnedTable
  call_days: CallDayTable
  cache_sizes: CacheSizeTable
  blob_deletions: BlobDeletionTable
  blob_sweeps: BlobSweepTable
}

export type Store = Database<Tables>

/** Argument of queries: the store outside a transaction, or the transaction to which a query belongs. */
export type Queryable = Kysely<Tables>

/** State of a job. `held`: a child on hold until fewer of its siblings run. */
export type JobState = 'held' | 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

interface JobTable {
  id: string
  team_id: string
  key_id: string | null
  parent_id: string | null
  kind: string
  state: JobState
  /** 1: run by the process that accepted the job, while its caller waits. No other process claims it. */
  foreground: number
  /** 1: takes one of the team's slots while it runs. */
  takes_slot: number
  input: string
  target: string | null
  origin: string | null
  retain: number
  attempts: number
  leased_by: string | null
  lease_until: number | null
  deadline_at: number
  created_at: number
  /** Time of entry into the queue. The job with the lowest time is claimed first. */
  queued_at: number
  started_at: number | null
  finished_at: number | null
  /** Number of a child in the order in which the siblings ended. */
  ended_number: number | null
  /** Highest `ended_number` of a parent's children. Changed under the lock of the parent. */
  children_ended: number
  /** Reserved while the job is active, charged after its end. */
  credits: number
  /** Result if it is small; otherwise null, and `result_blob` names its blob. */
  result: string | null
  result_blob: string | null
  error: string | null
  /** Trace of the job as JSON; null before its end. */
  trace: string | null
}

interface IdempotencyTable {
  team_id: string
  idempotency_key: string
  job_id: string
  created_at: number
  /** Hash of the request; null if the response is not returned again. */
  request: string | null
}

interface PageTable {
  id: string
  /** Hash of all inputs that change the result of a fetch. */
  cache_key: string
  team_id: string
  url: string
  requested_url: string
  status: number
  headers: string
  /** 1: the bytes are the text of a page that a browser rendered. */
  rendered: number
  /** Compressed bytes if they are few; otherwise null, and `blob` names their blob. */
  body: Uint8Array | null
  blob: string | null
  /** Metadata read when the page was stored, as JSON; null on pages from before this column existed. */
  notes: string | null
  fetched_at: number
  /** Bytes of the page that count in `cache_sizes`. */
  bytes: number
  /** Value of `cacheKeyVersion` when the page was stored. */
  key_version: number
}

/** Bytes of the cached pages of a team. Triggers on `pages` write it. */
interface CacheSizeTable {
  team_id: string
  bytes: number
}

/**
 * Blobs that no row names any more. Triggers on the columns with blob names insert the rows, which are removed after
 * the deletion.
 */
interface BlobDeletionTable {
  name: string
  /** Failed attempts. */
  attempts: number
  next_at: number
}

/** Progress of the comparison between the blobs of a folder and the rows that name them. */
interface BlobSweepTable {
  folder: string
  /** Last compared name; empty before the first. */
  after_name: string
  next_at: number
}

interface LearnedTable {
  id: string
  team_id: string
  host: string
  memory: string
  used_at: number
}

interface FileTable {
  id: string
  team_id: string
  media_type: string
  blob: string
  expires_at: number
}

interface SecretTable {
  name: string
  value: string
}

/** A robots.txt, a sitemap or a similar file, as last fetched for a team. */
interface SiteFileTable {
  team_id: string
  url: string
  status: number
  content_type: string | null
  /** Compressed bytes if they are few; otherwise null, and `blob` names their blob. Both null: there was no content. */
  body: Uint8Array | null
  blob: string | null
  fetched_at: number
}

/** Data of a crawl in addition to its job. Written only under the lock of the job's row. */
interface CrawlTable {
  job_id: string
  /** Options of the crawl and of its pages, as JSON. */
  options: string
  /** Maximum price of a page. */
  price: number
  /** Maximum pages of the crawl that are queued or running concurrently. */
  most_living: number
  /** Pages that may still be taken from the frontier: the limit, less the active and completed pages. */
  room: number
  /** Pages that may still be taken, however many of them fail. */
  tries: number
  /** Milliseconds between two pages; 0: no delay. */
  delay: number
  /** Reason for skipping the URLs that waited when the crawl ended; null while it runs. */
  rest_reason: string | null
  /** Number of skipped URLs by reason, as JSON; computed on the first request after the end of the crawl. */
  skipped: string | null
  /** Number of rows in the frontier, up to its maximum. */
  known: number
  /** Warnings for the caller, as a JSON list. */
  notes: string
}

export type FrontierState = 'waiting' | 'taken' | 'skipped' | 'alias'

/** URLs that a crawl has discovered, each once. */
interface FrontierTable {
  crawl_id: string
  /** Hash that identifies the page. */
  url_key: string
  id: string
  url: string
  depth: number
  /** 1: a page of another site, whose links are not followed. */
  external: number
  state: FrontierState
  /** Reason for skipping the URL. */
  reason: string | null
  /** Child that scraped the URL, or that turned out to be the same page. */
  job_id: string | null
  /** Time of the last change according to a sitemap. */
  modified_at: number | null
}

interface WebhookTable {
  job_id: string
  /** Kind of the job, after which events are named. */
  kind: string
  url: string
  headers: string
  metadata: string | null
  /** Names of events as a JSON list; empty: all. */
  events: string
}

type DeliveryState = 'waiting' | 'delivered' | 'failed'

/** Webhook outbox: one row per event, written in the transaction that causes the event. */
interface DeliveryTable {
  /** The webhookId, which is the same for all attempts. */
  id: string
  team_id: string
  job_id: string
  /** Page of the event. Its document is read when the event is sent. */
  child_id: string | null
  event: string
  /** 0: the start, 1: pages, 2: the end. An end event is sent only after one attempt for every page. */
  stage: number
  error: string | null
  state: DeliveryState
  /** Number of completed attempts. */
  attempts: number
  next_at: number
  lease_until: number
  /** Attempts as a JSON list. */
  log: string
  created_at: number
  finished_at: number | null
}

export type TeamRow = Selectable<TeamTable>
export type KeyRow = Selectable<KeyTable>
export type JobRow = Selectable<JobTable>
export type PageRow = Selectable<PageTable>
export type FileRow = Selectable<FileTable>
export type SnapshotRow = Selectable<SnapshotTable>
export type SnapshotVersionRow = Selectable<SnapshotVersionTable>
export type SiteFileRow = Selectable<SiteFileTable>
export type CrawlRow = Selectable<CrawlTable>
export type FrontierRow = Selectable<FrontierTable>
export type WebhookRow = Selectable<WebhookTable>
export type DeliveryRow = Selectable<DeliveryTable>
export type SessionRow = Selectable<SessionTable>
export type ProfileRow = Selectable<ProfileTable>

/** A stored page that waits to be indexed. */
export interface PendingRow {
  id: string
  team_id: string
  url: string
  /** File type in which the page was received: `html`, `pdf`. */
  type: string
  /** Search fields of the page, as compressed JSON. */
  fields: Uint8Array
  fetched_at: number
  expires_at: number
  created_at: number
  claimed_until: number
  /** Number of claims. */
  attempts: number
}

/** Use of the language model by a team on one day. */
interface ModelUsageTable {
  team_id: string
  /** Days since 1970, in UTC. */
  day: number
  /** Includes the estimates of calls in progress, if the team has a budget. */
  input_tokens: number
  output_tokens: number
  /** Requests with a response, including corrections. */
  calls: number
}

/** Last version of a page that a team tracks. */
interface SnapshotTable extends VersionColumns {
  url: string
  /** Tag under which the page is tracked. */
  tag: string | null
  /** 1: personal data was removed; such versions have a separate history. */
  redacted: number
  /** Text of the page, or its values by a schema; null on rows for which this was not recorded. */
  part: 'text' | 'values' | null
  /** Time when the first known version was fetched. */
  first_seen: number
  /** Result of the last comparison; null if it was not recorded. */
  last_status: 'new' | 'same' | 'changed' | 'removed' | null
}

/** Versions before the last one. */
interface SnapshotVersionTable extends VersionColumns {}

interface VersionColumns {
  team_id: string
  /** Hash of the URL, the tag, and whether this is the text or the values of the page. */
  snapshot_key: string
  /** Markdown, or values of a schema as JSON, compressed, if it is short; otherwise null, and `blob` names its blob. */
  body: Uint8Array | null
  blob: string | null
  /** Bytes in UTF-8 before compression; null on rows for which this was not recorded. */
  size: number | null
  /** Times of the first fetch of this version, and of the last fetch that returned the same content. */
  since: number
  scraped_at: number
}

/** Feedback of a caller on the result of a job; one per job. */
export interface FeedbackRow {
  id: string
  team_id: string
  job_id: string
  /** Kind of the job. */
  endpoint: string
  rating: string
  /** Other fields of the feedback as JSON; null with zero retention. */
  content: string | null
  /** Credits that were refunded for the feedback. */
  refunded: number
  created_at: number
}

/** Credits refunded to a team on one day. */
export interface RefundTable {
  team_id: string
  /** Days since 1970, in UTC. */
  day: number
  credits: number
}

type SessionStatus = 'active' | 'destroyed' | 'error'

/** Browser sessions. Each is also a job with the same id, which holds the lease and the credits. */
export interface SessionTable {
  id: string
  team_id: string
  /** Scrape on whose page the session was opened; unique, so that a scrape has one session. */
  scrape_id: string | null
  status: SessionStatus
  /** URL of the owner process for other processes, and id of that process. */
  home: string
  holder: string
  /** Maximum lifetime and maximum idle time, in seconds. */
  ttl: number
  activity_ttl: number
  stream_web_view: number
  profile_name: string | null
  profile_save: number
  /** Number of prompts that have been started in the session. A session with a prompt costs more. */
  used_prompt: number
  created_at: number
  last_activity: number
  expires_at: number
  ended_at: number | null
  /** Reason for the end of the session. */
  reason: string | null
  /** Charged credits. */
  credits: number
}

/** Browser storage that a team saves under a name. Its contents are encrypted blobs. */
export interface ProfileTable {
  team_id: string
  name: string
  /** Null: nothing was saved yet. */
  blob: string | null
  /** Name of a blob that is being written or deleted. It is recorded first, so that a crash leaves no orphaned blob. */
  spare_blob: string | null
  saved_at: number | null
  /** Id of the lease that allows saving; null: no lease. */
  lease_id: string | null
  /** Session or job that holds the lease. */
  holder: string | null
  lease_until: number
}
