import { jsonFile } from '../base/json-file.ts'

/**
 * Parts of words by which a cookie dialog and its buttons are known, in lower case. They are looked for only in what
 * stands in front of a page, and the buttons only inside what is about cookies; so short parts are good enough.
 */
export interface ConsentWords {
  topics: string[]
  /** Cookies are also food: a consent dialog contains one of these words too. */
  purposes: string[]
  rejects: string[]
  accepts: string[]
  /** A button with one of these is neither: it sells something or leads elsewhere. */
  excludes: string[]
}

export const consentWords = jsonFile<ConsentWords>(new URL('./consent-words.json', import.meta.url))
