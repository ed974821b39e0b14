import type { Clock } from '../../base/clock.ts'
import type { HttpAnswer } from '../../network/client.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { pack, packedRows } from '../../store/packed.ts'
import type { Store } from '../../store/schema.ts'
import { findSiteFile, keepSiteFile } from '../../store/site-files.ts'

export interface SiteFile {
  status: number
  /** Where it was found in the end. */
  url: string
  contentType: string | undefined
  bytes: Uint8Array
}

export interface SiteFilesNeeds {
  store: Store
  blobs: Blobs
  clock: Clock
  /** Gets an address by plain HTTP, behind the guard. */
  get: (teamId: string, url: URL, signal: AbortSignal) => Promise<HttpAnswer>
}

export interface SiteFiles {
  /** A file of a site, from the team's cache when it is younger than this, else from the site. */
  read(teamId: string, url: URL, options: { maxAge: number; signal: AbortSignal }): Promise<SiteFile>
}

const bodies = packedRows('site_files')

/** Files that sites put up for machines: robots.txt, sitemaps, feeds, llms.txt. Kept per team, as pages are. */
export function siteFiles(needs: SiteFilesNeeds): SiteFiles {
  return {
    async read(teamId, url, { maxAge, signal }) {
      const kept = maxAge > 0 ? await lookUp(needs, { teamId, url: url.href, maxAge }) : undefined
      if (kept) return kept
      const answer = await needs.get(teamId, url, signal)
      const file = {
        status: answer.status,
        url: answer.url.href,
        contentType: answer.headers['content-type'],
        bytes: answer.status === 200 ? answer.bytes : new Uint8Array(),
      }
      // A site that has trouble now may be well in a moment.
      if (file.status < 500 && file.status !== 429) await keep(needs, teamId, url.href, file)
      return file
    },
  }
}

async function lookUp(
  needs: SiteFilesNeeds,
  wanted: { teamId: string; url: string; maxAge: number },
): Promise<SiteFile | undefined> {
  const fetchedAfter = needs.clock.now() - wanted.maxAge
  const row = await findSiteFile(needs.store.query, { ...wanted, fetchedAfter })
  if (!row) return undefined
  const packed = await bodies.find(needs.blobs, row)
  if (!packed) return undefined
  const bytes = packed.length === 0 ? packed : await bodies.unpack(packed)
  return { status: row.status, url: row.url, contentType: row.content_type ?? undefined, bytes }
}

async function keep(needs: SiteFilesNeeds, teamId: string, url: string, file: SiteFile): Promise<void> {
  const packed = file.bytes.length === 0 ? file.bytes : await pack(file.bytes)
  const old = await keepSiteFile(needs.store.query, {
    team_id: teamId,
    url,
    status: file.status,
    content_type: file.contentType ?? null,
    ...(await bodies.keep(needs.blobs, packed)),
    fetched_at: needs.clock.now(),
  })
  if (old !== undefined) await needs.blobs.delete(old)
}
