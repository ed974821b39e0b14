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
