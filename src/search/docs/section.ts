/** Part of the documentation that answers a question without its surroundings: a section of a guide, an option, an error. */
export interface DocSection {
  /** File in the repository and position in the file: `docs/search.md#the-query`. */
  pathOrUrl: string
  title: string
  /** Headings above the title, outermost first. */
  headings: readonly string[]
  /** Key in the table of keywords. */
  key: string
  /** Markdown without the title. */
  text: string
  /** Factor of the score: below 1 for pages that few users look for. */
  weight: number
  /** Set for rows of the tables of errors and limits. */
  kind?: 'error' | 'limit'
}
