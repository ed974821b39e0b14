/** The last version of a page that a team tracks. */
export interface SnapshotTable extends VersionColumns {
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
export interface SnapshotVersionTable extends VersionColumns {}

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
