import type { Kysely, Selectable } from 'kysely'
import type { Database } from '../platform/ports/database.ts'
import type { CallDayTable, KeyTable, LedgerTable, RateTable, TeamTable } from './account-tables.ts'

/**
 * The tables, once, as types. Times are integer milliseconds, switches are 0 or 1, structured values are JSON
 * text: the three things on which the two databases would otherwise differ.
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
  /** Earlier versions wrote it. A later version drops it. */
  learned: LearnedTable
  call_days: CallDayTable
  cache_sizes: CacheSizeTable
  blob_deletions: BlobDeletionTable
  blob_sweeps: BlobSweepTable
}

export type Store = Database<Tables>

/** What a query needs: the store outside a transaction, or the transaction it belongs to. */
export type Queryable = Kysely<Tables>

/** `held`: a child that waits until fewer of its siblings run. */
export type JobState = 'held' | 'queued' | 'running' | 'completed' | 'failed' | 'cancelled'

interface JobTable {
  id: string
  team_id: string
  key_id: string | null
  parent_id: string | null
  kind: string
  state: JobState
  /** 1: run by the process that accepted it, while its caller waits; never claimed by another. */
  foreground: number
  /** 1: holds one of the team's slots while it runs. */
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
  /** When it came into the queue; the job that came first is claimed first. */
  queued_at: number
  started_at: number | null
  finished_at: number | null
  /** Of a child: its place among its siblings in the order of their ends. */
  ended_number: number | null
  /** Of a parent: the last such number. Changed under its lock. */
  children_ended: number
  /** Set aside while the job lives, charged when it has ended. */
  credits: number
  /** The result itself when it is small, else null and the blob of `result_blob`. */
  result: string | null
  result_blob: string | null
  error: string | null
  /** What happened on its way, as JSON; null before its end. */
  trace: string | null
}

interface IdempotencyTable {
  team_id: string
  idempotency_key: string
  job_id: string
  created_at: number
  /** Hash of the request; null where the response is not returned again. */
  request: string | null
}

interface PageTable {
  id: string
  /** Everything that changes what a fetch brings back, hashed. */
  cache_key: string
  team_id: string
  url: string
  requested_url: string
  status: number
  headers: string
  /** 1: the bytes are the text of a page that a browser rendered. */
  rendered: number
  /** The bytes, compressed, when they are few; else null and the blob of `blob`. */
  body: Uint8Array | null
  blob: string | null
  /** What was read of the page when it was kept, as JSON; null on pages that were kept before it was noted. */
  notes: string | null
  fetched_at: number
  /** Bytes that the page counts in `cache_sizes`. */
  bytes: number
  /** See `cacheKeyVersion`. */
  key_version: number
}

/** Bytes of the cached pages of a team. Triggers on `pages` write it. */
interface CacheSizeTable {
  team_id: string
  bytes: number
}

/** Blobs that no row names any more. Triggers on the columns that name blobs insert them; removed after the deletion. */
interface BlobDeletionTable {
  name: string
  /** Failed attempts. */
  attempts: number
  next_at: number
}

/** How far the blobs of a folder have been compared with the rows that name them. */
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

/** A robots.txt, a sitemap and the like, as a team last saw it. */
interface SiteFileTable {
  team_id: string
  url: string
  status: number
  content_type: string | null
  /** The bytes, compressed, when they are few; else null and the blob of `blob`. Both null: there was nothing. */
  body: Uint8Array | null
  blob: string | null
  fetched_at: number
}

/** What a crawl needs beside its job. Written only under the lock of that job's row. */
interface CrawlTable {
  job_id: string
  /** The options of the crawl and of its pages, as JSON. */
  options: string
  /** The most a page can cost. */
  price: number
  /** At most this many pages of the crawl may be queued or running at once. */
  most_living: number
  /** Pages that may still be taken from the frontier: the limit, less the pages that live or have completed. */
  room: number
  /** Pages that may still be taken, however many of them fail. */
  tries: number
  /** Milliseconds between two pages; 0: none. */
  delay: number
  /** Why the addresses that waited when the crawl ended were skipped; null while it goes on. */
  rest_reason: string | null
  /** How many addresses were skipped by reason, as JSON; known once the crawl has ended and somebody asked. */
  skipped: string | null
  /** Rows of the frontier, up to the most that is kept. */
  known: number
  /** What the caller should know, as a JSON list. */
  notes: string
}

export type FrontierState = 'waiting' | 'taken' | 'skipped' | 'alias'

/** Every address a crawl has met, once. */
interface FrontierTable {
  crawl_id: string
  /** What the page is known by, hashed. */
  url_key: string
  id: string
  url: string
  depth: number
  /** 1: a page of another site, from which nothing is followed. */
  external: number
  state: FrontierState
  /** Why it was skipped. */
  reason: string | null
  /** The child that scraped it, or that turned out to be the same page. */
  job_id: string | null
  /** When the page was changed, as a sitemap says. */
  modified_at: number | null
}

interface WebhookTable {
  job_id: string
  /** The kind of the job: events are named after it. */
  kind: string
  url: string
  headers: string
  metadata: string | null
  /** Names of events as a JSON list; empty: all. */
  events: string
}

type DeliveryState = 'waiting' | 'delivered' | 'failed'

/** The outbox: one row per event, written in the transaction of what it tells. */
interface DeliveryTable {
  /** The webhookId: the same for all attempts. */
  id: string
  team_id: string
  job_id: string
  /** The page that the event is about; its document is read when it is sent. */
  child_id: string | null
  event: string
  /** 0: the start, 1: pages, 2: the end. An end is not sent before every page was tried once. */
  stage: number
  error: string | null
  state: DeliveryState
  /** Attempts that have ended. */
  attempts: number
  next_at: number
  lease_until: number
  /** The attempts as a JSON list. */
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

/** A page that was kept and waits to be indexed. */
export interface PendingRow {
  id: string
  team_id: string
  url: string
  /** The type of the file that it came as: `html`, `pdf`. */
  type: string
  /** What the page can be found by, as JSON, packed. */
  fields: Uint8Array
  fetched_at: number
  expires_at: number
  created_at: number
  claimed_until: number
  /** How often it was taken. */
  attempts: number
}

/** What a team has used of the language model on one day. */
interface ModelUsageTable {
  team_id: string
  /** Days since 1970, in UTC. */
  day: number
  /** With the estimates of calls that are under way, where the team has a budget. */
  input_tokens: number
  output_tokens: number
  /** Requests that were answered, corrections included. */
  calls: number
}

/** The last version of a page that a team tracks. */
interface SnapshotTable extends VersionColumns {
  url: string
  /** The tag it is tracked under. */
  tag: string | null
  /** 1: personal data was taken out; such versions are a history of their own. */
  redacted: number
  /** Whether this is the text of the page or its values by a schema; null on rows of which that was not noted. */
  part: 'text' | 'values' | null
  /** When the first version was fetched that is known of. */
  first_seen: number
  /** What the last comparison came to; null where that was not noted. */
  last_status: 'new' | 'same' | 'changed' | 'removed' | null
}

/** The versions before it. */
interface SnapshotVersionTable extends VersionColumns {}

interface VersionColumns {
  team_id: string
  /** The URL of the page, the tag it is tracked under and whether this is its text or its values, hashed. */
  snapshot_key: string
  /** The Markdown, or the values of a schema as JSON, compressed, when it is short; else null and the blob of `blob`. */
  body: Uint8Array | null
  blob: string | null
  /** Bytes of it in UTF-8, not compressed; null on rows of which that was not noted. */
  size: number | null
  /** When the page of this version was fetched: the first time, and the last time that it was still the same. */
  since: number
  scraped_at: number
}

/** What a caller says about the result of a job; one for each job. */
export interface FeedbackRow {
  id: string
  team_id: string
  job_id: string
  /** The kind of the job. */
  endpoint: string
  rating: string
  /** Everything else that was said, as JSON; null: nothing may be kept of the job. */
  content: string | null
  /** Credits that were given back for it. */
  refunded: number
  created_at: number
}

/** Credits that a team got back on one day. */
export interface RefundTable {
  team_id: string
  /** Days since 1970, in UTC. */
  day: number
  credits: number
}

type SessionStatus = 'active' | 'destroyed' | 'error'

/** Browser sessions. Each is a job as well, under the same id: that one holds the lease and the credits. */
export interface SessionTable {
  id: string
  team_id: string
  /** The scrape whose page it was opened on; unique, so that a scrape has one session. */
  scrape_id: string | null
  status: SessionStatus
  /** Where other processes reach the one it lives in, and which process that is. */
  home: string
  holder: string
  /** Seconds. */
  ttl: number
  activity_ttl: number
  stream_web_view: number
  profile_name: string | null
  profile_save: number
  /** 1: a prompt was run in it, which costs more. */
  /** How many of them ran, or run. */
  used_prompt: number
  created_at: number
  last_activity: number
  expires_at: number
  ended_at: number | null
  /** Why it ended. */
  reason: string | null
  /** What it was charged. */
  credits: number
}

/** Browser storage that a team keeps by name; its contents are blobs, encrypted. */
export interface ProfileTable {
  team_id: string
  name: string
  /** Null: nothing was saved yet. */
  blob: string | null
  /** A blob that was about to be written or removed, so that none is left behind by a crash. */
  spare_blob: string | null
  saved_at: number | null
  /** Of the lease of the one who may save; null: nobody. */
  lease_id: string | null
  /** The session or job that holds the lease. */
  holder: string | null
  lease_until: number
}
