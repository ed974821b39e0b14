import type { Log } from '../base/log.ts'
import type { Content, ContentOptions } from '../content/content.ts'
import { kindOf } from '../content/content-type.ts'
import { noteTexts, sharedTexts } from '../content/main-content/site-blocks.ts'
import type { Page } from '../content/page.ts'
import { type ContentPart, withParts } from '../content/parts.ts'
import { readerThreads, type ThreadLimits } from './threads.ts'

export interface PageReader {
  /**
   * The content of a page with these parts made: in another thread, so that no page holds up the others. What is asked of
   * it besides is made here and then.
   */
  read(known: KnownPage, parts: readonly ContentPart[], signal: AbortSignal): Promise<Content>
  stop(): Promise<void>
}

export interface KnownPage {
  page: Page
  options: ContentOptions
  /** As it is read here. */
  content: Content
}

/** A page up to here is read sooner than another thread would have heard of it. */
const largestHere = 8192

export function pageReader(limits: ThreadLimits, log: Log): PageReader {
  const threads = readerThreads(limits, log)
  return {
    async read({ page, options, content }, parts, signal) {
      if (parts.length === 0 || isReadHere(page)) return content
      const { captures: _, ...bare } = page
      const { site } = options
      const order = { page: bare, options: { ...options, site: site && sharedTexts(site) }, parts }
      const { made, texts } = await threads.read(order, signal)
      if (site && texts) noteTexts(site, texts)
      return withParts(content, made)
    },
    stop: threads.stop,
  }
}

function isReadHere(page: Page): boolean {
  return kindOf(page).name !== 'html' || (page.text?.length ?? page.bytes.length) <= largestHere
}
