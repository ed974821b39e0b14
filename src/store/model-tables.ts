/** What a team has used of the language model on one day. */
export interface ModelUsageTable {
  team_id: string
  /** Days since 1970, in UTC. */
  day: number
  /** With the estimates of calls that are under way, where the team has a budget. */
  input_tokens: number
  output_tokens: number
  /** Requests that were answered, corrections included. */
  calls: number
}
