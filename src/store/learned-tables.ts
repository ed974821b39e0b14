/** What a team has learned of the pages of one host for one schema. */
export interface LearnedTable {
  /** Of the team, the host and the schema together. */
  id: string
  team_id: string
  host: string
  /** JSON. */
  memory: string
  /** When it was last changed or read, to the day. */
  used_at: number
}
