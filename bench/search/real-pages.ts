import { readPage } from '../../src/content/content.ts'
import { searchFields } from '../../src/extraction/page-parts/search/search-fields.ts'
import type { PageToIndex } from '../../src/search/index/page-documents.ts'
import { pageKey } from '../../src/search/index/same-page.ts'
import { loadPages, loadScorer } from '../content/scorer.ts'

/** Sets with complete pages; `h2m` has only fragments of HTML. */
const sets = ['aeb', 'traf', 'wcxb', 'readability', 'defuddle']
const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }

/** Returns the real pages of the development half, each URL once, read like in a scrape. */
export async function realPages(folder: string): Promise<PageToIndex[]> {
  const scorer = await loadScorer(folder)
  const pages = new Map<string, PageToIndex>()
  for (const set of sets)
    for (const { url, html } of loadPages(scorer, { folder, set, split: 'dev' })(1)) {
      if (!URL.canParse(url) || pages.has(pageKey(url))) continue
      pages.set(pageKey(url), toPageToIndex(url, html))
    }
  return [...pages.values()]
}

/** Reads a page like a scrape. */
export function toPageToIndex(url: string, html: string): PageToIndex {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const fields = searchFields(readPage(page, options), url)
  return { url, type: 'html', fetchedAt: 0, expiresAt: Number.MAX_SAFE_INTEGER, fields }
}
