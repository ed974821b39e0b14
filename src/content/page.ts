import type { Captures } from './captures.ts'

/** The result of a fetch, as plain data. */
export interface Page {
  /** The URL as requested. */
  requestedUrl: string
  /** The URL after redirects. */
  url: string
  status: number
  /** Response headers, names in lower case. */
  headers: Record<string, string>
  bytes: Uint8Array
  /** The text of a page that a browser rendered; it needs no decoding. */
  text?: string
  fetchedAt: number
  captures?: Captures
}
