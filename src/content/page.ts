import type { StyleSnapshot } from './style-snapshot.ts'

/** Result of a fetch, as plain data. */
export interface Page {
  requestedUrl: string
  /** URL after redirects. */
  url: string
  status: number
  /** Response headers, names in lower case. */
  headers: Record<string, string>
  bytes: Uint8Array
  /** Text of a page that a browser rendered; it needs no decoding. */
  text?: string
  fetchedAt: number
  captures?: Captures
}

export interface ScreenshotOptions {
  fullPage: boolean
  /** JPEG quality from 1 to 100; if absent, the image is a PNG. */
  quality?: number | undefined
  viewport?: { width: number; height: number } | undefined
}

/** Formats request captures, the plan merges the requests, and the engine makes them. */
export interface CapturePlan {
  screenshot?: ScreenshotOptions
  styles?: true
}

export interface CapturedFile {
  bytes: Uint8Array
  mediaType: string
}

/** Results of actions, in the order of the actions. */
export interface ActionResults {
  screenshots: CapturedFile[]
  scrapes: { url: string; html: string }[]
  javascriptReturns: { type: string; value: unknown }[]
  pdfs: CapturedFile[]
}

export interface TaskResult {
  /** Unverified text of the model. */
  answer: string
  /** Steps, one per line. */
  steps: string
  stopped?: string
}

export interface Captures {
  screenshot?: CapturedFile
  styles?: StyleSnapshot
  actions?: ActionResults
  task?: TaskResult
}
