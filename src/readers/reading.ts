import type { ContentOptions } from '../content/content.ts'
import type { Page } from '../content/page.ts'
import type { ContentPart, MadeParts } from '../content/parts.ts'

/** What a thread is asked. */
export interface ReadingOrder {
  page: Page
  options: ContentOptions
  parts: readonly ContentPart[]
}

/** What it made of the page. */
export interface Reading {
  made: MadeParts
  /** In a crawl: the texts of this page. */
  texts: number[] | undefined
}

export type ReadingAnswer = Reading | { problem: unknown }
