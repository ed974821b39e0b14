/** What one page says, by the fields of a schema. */
export interface PageValues {
  url: string
  value: unknown
  /** By path; a path without evidence is trusted least. */
  evidence: Readonly<Record<string, { reader: string; text: string }>>
}

/** A field of which pages say different things. */
export interface Conflict {
  path: string
  chosen: unknown
  /** Every value, the chosen one first, with the pages that state it. */
  values: { value: unknown; sources: string[]; reader?: string; text?: string }[]
}

export interface Merged {
  /** Undefined where no page says anything. */
  value: unknown
  /** The pages that state each value, by its path. */
  sources: Record<string, string[]>
  conflicts: Conflict[]
  /** Conflicts and sources beyond those that are listed. */
  unlisted: { conflicts: number; sources: number }
  /** Fields that no page states. */
  missing: string[]
  /** Values of pages that are about something else than the rest: nothing better was found. */
  borrowed: string[]
  /** Entries of lists that were one too many. */
  leftOut: number
}

/** A value on a page, with its place there. */
export interface Stated {
  page: number
  value: unknown
  path: string
}

/** What the parts of a merge share. */
export interface Merging {
  pages: readonly PageValues[]
  merged: Merged
  /** Entries that lists may still have, and values whose sources may still be noted. */
  room: number
  sourceRoom: number
}

/** What pages of the thing in question say, and what others do. */
export interface Said {
  own: Stated[]
  others: Stated[]
}

export function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
