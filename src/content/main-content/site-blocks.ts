import type { Blocks } from './blocks.ts'

/** The texts of the pages of one site read so far, to detect a text that appears on all of them. */
export interface SiteBlocks {
  pages: number
  /** On how many pages each text was seen, by its hash. */
  seen: Map<number, number>
  /** The texts of the page that was noted last. */
  noted?: number[]
}

export function noSiteBlocks(): SiteBlocks {
  return { pages: 0, seen: new Map() }
}

/** Texts beyond this are not remembered: a site of a million pages must not fill the memory. */
const maxTexts = 20_000

/** Notes the texts of a page, each once however often the page says it. */
export function recordBlocks(site: SiteBlocks, blocks: Blocks): void {
  recordTexts(site, [...new Set(blocks.hashes.subarray(0, blocks.count))])
}

export function recordTexts(site: SiteBlocks, texts: number[]): void {
  site.pages += 1
  site.noted = texts
  for (const hash of texts) {
    const pages = site.seen.get(hash)
    if (pages !== undefined) site.seen.set(hash, pages + 1)
    else if (site.seen.size < maxTexts) site.seen.set(hash, 1)
  }
}

/** Fewer pages prove nothing: two may share a quotation. */
const minPages = 4
const usualShare = 0.4

/** Whether a text appears on enough pages to belong to the site and not to one page. */
export function isOfSite(site: SiteBlocks, hash: number): boolean {
  const pages = site.seen.get(hash) ?? 0
  return pages >= minPages && pages >= site.pages * usualShare
}

/** As much of it as another thread needs to read one page. */
export function sharedTexts(site: SiteBlocks): SiteBlocks {
  return { pages: site.pages, seen: new Map([...site.seen].filter(([hash]) => isOfSite(site, hash))) }
}
