import type { Generated } from 'kysely'

export interface TeamTable {
  id: string
  name: string
  /** Null: unlimited. Otherwise the sum of the team's ledger, updated in the same transaction. */
  balance: number | null
  /** Null: default of the installation. */
  concurrency: number | null
  zero_retention: number
  /** Secret that signs webhook deliveries; null: they are not signed. */
  webhook_secret: string | null
  /** 1: its pages are indexed for search. */
  search_index: Generated<number>
  created_at: number
  /** Null: active. Otherwise its data is being removed. */
  deleted_at: number | null
}

export interface KeyTable {
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

export interface LedgerTable {
  id: string
  team_id: string
  key_id: string | null
  /** Unique: a job is charged once, however often it ran. A refund has a separate value, which is also unique. */
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

export interface CallDayTable {
  team_id: string
  /** Days since 1970, in UTC. */
  day: number
  kind: string
  state: string
  calls: number
}
