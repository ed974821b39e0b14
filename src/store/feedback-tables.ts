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
