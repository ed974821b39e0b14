/** Everything an engine may need to know, as data. */
export interface FetchPlan {
  url: URL
  /** Headers the caller gave. */
  headers: Record<string, string>
  /** What the emulated browser says of itself: agent, accepted types, languages. */
  ownHeaders: Record<string, string>
  verifyTls: boolean
  maxBytes: number
}
