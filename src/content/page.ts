import type { StyleSnapshot } from './style-snapshot.ts'

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

export interface ScreenshotOptions {
  fullPage: boolean
  /** 1 to 100 makes a JPEG of that quality; without it, a PNG. */
  quality?: number | undefined
  viewport?: { width: number; height: number } | undefined
}

/** What must be captured while the page is open: formats request it, the plan merges the requests, the engine captures it. */
export interface CapturePlan {
  screenshot?: ScreenshotOptions
  styles?: true
}

/** A file that was made while the page was open. */
export interface CapturedFile {
  bytes: Uint8Array
  mediaType: string
}

/** The results of actions, in the order of the actions. */
export interface ActionResults {
  screenshots: CapturedFile[]
  scrapes: { url: string; html: string }[]
  javascriptReturns: { type: string; value: unknown }[]
  pdfs: CapturedFile[]
}

/** What came of a task that a language model carried out on the page. */
export interface TaskResult {
  /** Its own words: nothing in them is checked. */
  answer: string
  /** The steps, one per line. */
  steps: string
  /** Why it was ended before it was done. */
  stopped?: string
}

/** The captured data. */
export interface Captures {
  screenshot?: CapturedFile
  styles?: StyleSnapshot
  actions?: ActionResults
  task?: TaskResult
}
