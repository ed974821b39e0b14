/** What a section is about, beside guides: a user who asks for one of these seldom wants another. */
export type DocKind =
  | 'guide'
  | 'command'
  | 'migration'
  | 'endpoint'
  | 'option'
  | 'field'
  | 'error'
  | 'setting'
  | 'limit'

/** A part of the documentation that answers for itself: a section of a guide, an option, a setting, an error. */
export interface DocSection {
  kind: DocKind
  /** A file of the repository and the place in it: `docs/search.md#the-query`. */
  pathOrUrl: string
  title: string
  /** What stands above the title, the outermost first. */
  headings: readonly string[]
  /** Its name in the table of keywords. */
  key: string
  /** Markdown, without the title. */
  text: string
  /** How much it counts beside others: what is written for users comes before what is written for contributors. */
  weight: number
}
