import type { StyleSnapshot } from './style-snapshot.ts'

export interface Page {
  requestedUrl: string
  url: string
  status: number
  headers: Record<string, string>
  bytes: Uint8Array
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

export interface CapturePlan {
  screenshot?: ScreenshotOptions
  styles?: true
}

export interface CapturedFile {
  bytes: Uint8Array
  mediaType: string
}

export interface ActionResults {
  screenshots: CapturedFile[]
  scrapes: { url: string; html: string }[]
  javascriptReturns: { type: string; value: unknown }[]
  pdfs: CapturedFile[]
}

export interface TaskResult {
  answer: string
  steps: string
  stopped?: string
}

export interface Captures {
  screenshot?: CapturedFile
  styles?: StyleSnapshot
  actions?: ActionResults
  task?: TaskResult
}
