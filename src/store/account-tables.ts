import type { Generated } from 'kysely'

export interface TeamTable {
  id: string
  name: string
  /** Null: unlimited. Otherwise equal to the sum of the team's ledger, kept in the same transaction. */
  balance: number | null
  /** Null: the installation's default. */
  concurrency: number | null
  zero_retention: number
  /** What deliveries of webhooks are signed with; null: they are not. */
  webhook_secret: string | null
  /** 1: its pages are indexed for search. */
  search_index: Generated<number>
  created_at: number
  /** Null: it is there. Otherwise what it had is being removed. */
  deleted_at: number | null
}

export interface KeyTable {
  id: string
  team_id: string
  /** SHA-256 of the key in hex; the key itself is never stored. */
  hash: string
  /** The first characters, so that a person can tell keys apart. */
  hint: string
  /** 1: may also call what changes accounts. */
  is_operator: number
  created_at: number
  /** To a few minutes; null: never since this is noted. */
  last_used_at: number | null
  revoked_at: number | null
}

export interface LedgerTable {
  id: string
  team_id: string
  key_id: string | null
  /** Unique: a job is charged once, however often it ran, and refunded once, under a name of its own. */
  job_id: string | null
  /** Positive for a grant, negative for a charge. */
  credits: number
  reason: string
  created_at: number
}

export interface RateTable {
  team_id: string
  lane: string
  minute: number
  taken: number
}

/** Calls whose jobs were removed, counted by the day on which they came. */
export interface CallDayTable {
  team_id: string
  /** Days since 1970, in UTC. */
  day: number
  kind: string
  state: string
  calls: number
}
