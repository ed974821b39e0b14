import type { Blocks } from './blocks.ts'

export interface SiteBlocks {
  pages: number
  /** Number of pages with a text, by the hash of the text. */
  seen: Map<number, number>
  /** Hashes of the texts of the last page. */
  lastTexts?: number[]
}

export const createSiteBlocks = (): SiteBlocks => ({ pages: 0, seen: new Map() })

/** Maximum number of stored hashes, which bounds memory for sites of a million pages. */
const maxHashes = 20_000

export function recordBlocks(site: SiteBlocks, blocks: Blocks): void {
  recordTexts(site, [...new Set(blocks.hashes.subarray(0, blocks.count))])
}

export function recordTexts(site: SiteBlocks, hashes: number[]): void {
  site.pages += 1
  site.lastTexts = hashes
  for (const hash of hashes) {
    const pages = site.seen.get(hash)
    if (pages !== undefined) site.seen.set(hash, pages + 1)
    else if (site.seen.size < maxHashes) site.seen.set(hash, 1)
  }
}

/** Minimum number of pages. Fewer are not enough, because two pages may share a quotation. */
const minPages = 4
const minShare = 0.4

export function isSiteText(site: SiteBlocks, hash: number): boolean {
  const pages = site.seen.get(hash) ?? 0
  return pages >= minPages && pages >= site.pages * minShare
}

export function getSharedTexts(site: SiteBlocks): SiteBlocks {
  return { pages: site.pages, seen: new Map([...site.seen].filter(([hash]) => isSiteText(site, hash))) }
}
