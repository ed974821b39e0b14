import type { HttpAnswer } from '../../fetch/network/client.ts'
import { isUnavailable } from '../../platform/errors.ts'
import { findSiteFile, keepSiteFile, type SiteFileRow } from '../../store/site-files.ts'
import { pack, packedRows } from '../../store/stored-json.ts'
import type { Needs } from '../needs.ts'

export interface SiteFile {
  status: number
  /** Where it was found in the end. */
  url: string
  contentType: string | undefined
  bytes: Uint8Array
}

export interface SiteFilesNeeds extends Pick<Needs, 'store' | 'blobs' | 'clock'> {
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
  const bytes = await readBody(needs, row)
  // The answer of the site replaces an entry that cannot be read.
  if (!bytes) return undefined
  return { status: row.status, url: row.url, contentType: row.content_type ?? undefined, bytes }
}

/** Returns undefined if the bytes are missing or damaged. */
async function readBody({ blobs }: SiteFilesNeeds, row: SiteFileRow): Promise<Uint8Array | undefined> {
  try {
    const packed = await bodies.find(blobs, row)
    return !packed || packed.length === 0 ? packed : await bodies.unpack(packed)
  } catch (thrown) {
    if (isUnavailable(thrown)) throw thrown
    return undefined
  }
}

async function keep(needs: SiteFilesNeeds, teamId: string, url: string, file: SiteFile): Promise<void> {
  const packed = file.bytes.length === 0 ? file.bytes : await pack(file.bytes)
  await keepSiteFile(needs.store.query, {
    team_id: teamId,
    url,
    status: file.status,
    content_type: file.contentType ?? null,
    ...(await bodies.keep(needs.blobs, packed)),
    fetched_at: needs.clock.now(),
  })
}
