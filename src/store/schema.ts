import type { Generated, Kysely, Selectable } from 'kysely'
import type { Database } from '../platform/ports/database.ts'

/** Times are milliseconds, flags 0 or 1, and structured values JSON text, because the databases differ in such types. */
export interface Tables {
  teams: TeamTable
  keys: KeyRow
  ledger: {
    id: string
    team_id: string
    key_id: string | null
    /** Unique: a job is charged once, however often it ran. A refund has a separate value, which is also unique. */
    job_id: string | null
    credits: number
    reason: string
    created_at: number
  }
  rates: { team_id: string; lane: string; minute: number; taken: number }
  jobs: JobRow
  idempotency: {
    team_id: string
    idempotency_key: string
    job_id: string
    created_at: number
    /** Hash of the request; null if the response is not returned again. */
    request: string | null
  }
  pages: PageRow
  snapshots: SnapshotRow
  snapshot_versions: SnapshotVersionRow
  files: FileRow
  secrets: { name: string; value: string }
  site_files: SiteFileRow
  crawls: CrawlRow
  frontier: FrontierRow
  webhooks: WebhookRow
  deliveries: DeliveryRow
  sessions: SessionRow
  profiles: ProfileRow
  search_pending: PendingRow
  feedback: FeedbackRow
  refunds: { team_id: string; day: number; credits: number }
  model_usage: {
    team_id: string
    day: number
    input_tokens: number
    output_tokens: number
    /** Requests with a response, including corrections. */
    calls: number
  }
  /** Written by earlier versions. A later version drops it. */
  learned: { id: string; team_id: string; host: string; memory: string; used_at: number }
  /** Calls whose jobs were removed, counted by the day of their arrival in UTC. */
  call_days: { team_id: string; day: number; kind: string; state: string; calls: number }
  /** Bytes of the cached pages of a team. Triggers on `pages` write it. */
  cache_sizes: { team_id: string; bytes: number }
  /** Blobs that no row names. Triggers insert the rows, which are removed after the deletion. */
  blob_deletions: { name: string; attempts: number; next_at: number }
  /** Last name that the comparison of a folder with the rows has reached; empty before the first. */
  blob_sweeps: { folder: string; after_name: string; next_at: number }
}

export type Store = Database<Tables>

export type Queryable = Kysely<Tables>

interface TeamTable {
  id: string
  name: string
  /** Null: unlimited. Otherwise the sum of the team's ledger, updated in the same transaction. */
  balance: number | null
  /** Null: default of the installation. */
  concurrency: number | null
  zero_retention: number
  webhook_secret: string | null
  search_index: Generated<number>
  created_at: number
  /** Null: active. Otherwise its data is being removed. */
  deleted_at: number | null
}

export interface KeyRow {
  id: string
  team_id: string
  /** SHA-256 of the key in hex; the key itself is never stored. */
  hash: string
  hint: string
  /** 1: may also call operations that change accounts. */
  is_operator: number
  created_at: number
  /** Accurate to a few minutes; null: not used since the column exists. */
  last_used_at: number | null
  revoked_at: number | null
}

/** `held`: a child on hold until fewer of its siblings run. */
export type JobState = 'held' | 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

export interface JobRow {
  id: string
  team_id: string
  key_id: string | null
  parent_id: string | null
  kind: string
  state: JobState
  /** 1: run by the process that accepted the job. No other process claims it. */
  foreground: number
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
  /** The job with the lowest time is claimed first. */
  queued_at: number
  started_at: number | null
  finished_at: number | null
  /** Number of a child in the order in which the siblings ended. */
  ended_number: number | null
  /** Highest `ended_number` of the children. Changed under the lock of the parent. */
  children_ended: number
  /** Reserved while the job is active, charged after its end. */
  credits: number
  /** Null if `result_blob` names the blob of a large result. */
  result: string | null
  result_blob: string | null
  error: string | null
  trace: string | null
}

export interface PageRow {
  id: string
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
  /** Null on pages from before this column existed. */
  notes: string | null
  fetched_at: number
  bytes: number
  key_version: number
}

export interface FileRow {
  id: string
  team_id: string
  media_type: string
  blob: string
  expires_at: number
}

export interface SiteFileRow {
  team_id: string
  url: string
  status: number
  content_type: string | null
  /** As on a page. Both null: there was no content. */
  body: Uint8Array | null
  blob: string | null
  fetched_at: number
}

/** Written only under the lock of the job's row. */
export interface CrawlRow {
  job_id: string
  options: string
  price: number
  most_living: number
  /** Pages that may be taken from the frontier: the limit, less the active and completed pages. */
  room: number
  /** Pages that may still be taken, however many of them fail. */
  tries: number
  /** Milliseconds between two pages; 0: no delay. */
  delay: number
  /** Reason for skipping the URLs that waited when the crawl ended; null while it runs. */
  rest_reason: string | null
  /** Number of skipped URLs by reason; computed on the first request after the end of the crawl. */
  skipped: string | null
  known: number
  notes: string
}

export type FrontierState = 'waiting' | 'taken' | 'skipped' | 'alias'

export interface FrontierRow {
  crawl_id: string
  url_key: string
  id: string
  url: string
  depth: number
  /** 1: a page of another site, whose links are not followed. */
  external: number
  state: FrontierState
  reason: string | null
  /** Child that scraped the URL, or that turned out to be the same page. */
  job_id: string | null
  modified_at: number | null
}

export interface WebhookRow {
  job_id: string
  kind: string
  url: string
  headers: string
  metadata: string | null
  events: string
}

/** Webhook outbox: one row per event, written in the transaction that causes the event. */
export interface DeliveryRow {
  id: string
  team_id: string
  job_id: string
  /** Page of the event. Its document is read when the event is sent. */
  child_id: string | null
  event: string
  /** 0: the start, 1: pages, 2: the end. An end event is sent only after one attempt for every page. */
  stage: number
  error: string | null
  state: 'waiting' | 'delivered' | 'failed'
  attempts: number
  next_at: number
  lease_until: number
  log: string
  created_at: number
  finished_at: number | null
}

export type TeamRow = Selectable<TeamTable>

export interface PendingRow {
  id: string
  team_id: string
  url: string
  type: string
  /** Compressed JSON. */
  fields: Uint8Array
  fetched_at: number
  expires_at: number
  created_at: number
  claimed_until: number
  attempts: number
}

export interface SnapshotRow extends SnapshotVersionRow {
  url: string
  tag: string | null
  /** 1: personal data was removed; such versions have a separate history. */
  redacted: number
  part: 'text' | 'values' | null
  first_seen: number
  last_status: 'new' | 'same' | 'changed' | 'removed' | null
}

export interface SnapshotVersionRow {
  team_id: string
  /** Hash of the URL, the tag, and whether this is the text or the values of the page. */
  snapshot_key: string
  /** Compressed text of the page, or its values as JSON, if it is short; otherwise `blob` names its blob. */
  body: Uint8Array | null
  blob: string | null
  size: number | null
  /** Times of the first fetch of this version, and of the last fetch that returned the same content. */
  since: number
  scraped_at: number
}

export interface FeedbackRow {
  id: string
  team_id: string
  job_id: string
  endpoint: string
  rating: string
  /** Other fields of the feedback as JSON; null with zero retention. */
  content: string | null
  refunded: number
  created_at: number
}

/** Each session is also a job with the same id, which holds the lease and the credits. */
export interface SessionRow {
  id: string
  team_id: string
  scrape_id: string | null
  status: 'active' | 'destroyed' | 'error'
  /** URL of the owner process for other processes, and id of that process. */
  home: string
  holder: string
  ttl: number
  activity_ttl: number
  stream_web_view: number
  profile_name: string | null
  profile_save: number
  used_prompt: number
  created_at: number
  last_activity: number
  expires_at: number
  ended_at: number | null
  reason: string | null
  credits: number
}

export interface ProfileRow {
  team_id: string
  name: string
  blob: string | null
  /** Blob that is being written or deleted, recorded first, so that a crash leaves no orphan. */
  spare_blob: string | null
  saved_at: number | null
  lease_id: string | null
  holder: string | null
  lease_until: number
}
