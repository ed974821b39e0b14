import type { HttpAnswer } from '../../fetch/network/client.ts'
import { isStoreUnavailable } from '../../platform/errors.ts'
import { findSiteFile, type SiteFileRow, storeSiteFile } from '../../store/site-files.ts'
import { compressedRows, pack } from '../../store/stored-json.ts'
import type { Deps } from '../needs.ts'

export interface SiteFile {
  status: number
  /** Where it was found in the end. */
  url: string
  contentType: string | undefined
  bytes: Uint8Array
}

export interface SiteFilesDeps extends Pick<Deps, 'store' | 'blobs' | 'clock'> {
  /** Gets an address by plain HTTP, behind the guard. */
  get: (teamId: string, url: URL, signal: AbortSignal) => Promise<HttpAnswer>
}

export interface SiteFiles {
  /** A file of a site, from the team's cache when it is younger than this, else from the site. */
  read(teamId: string, url: URL, options: { maxAge: number; signal: AbortSignal }): Promise<SiteFile>
}

const bodies = compressedRows('site_files')

/** Files that sites put up for machines: robots.txt, sitemaps, feeds, llms.txt. Kept per team, as pages are. */
export function siteFiles(deps: SiteFilesDeps): SiteFiles {
  return {
    async read(teamId, url, { maxAge, signal }) {
      const kept = maxAge > 0 ? await lookUp(deps, { teamId, url: url.href, maxAge }) : undefined
      if (kept) return kept
      const answer = await deps.get(teamId, url, signal)
      const file = {
        status: answer.status,
        url: answer.url.href,
        contentType: answer.headers['content-type'],
        bytes: answer.status === 200 ? answer.bytes : new Uint8Array(),
      }
      // A site that has trouble now may be well in a moment.
      if (file.status < 500 && file.status !== 429) await keep(deps, teamId, url.href, file)
      return file
    },
  }
}

async function lookUp(
  deps: SiteFilesDeps,
  wanted: { teamId: string; url: string; maxAge: number },
): Promise<SiteFile | undefined> {
  const fetchedAfter = deps.clock.now() - wanted.maxAge
  const row = await findSiteFile(deps.store.query, { ...wanted, fetchedAfter })
  if (!row) return undefined
  const bytes = await readBody(deps, row)
  // The answer of the site replaces an entry that cannot be read.
  if (!bytes) return undefined
  return { status: row.status, url: row.url, contentType: row.content_type ?? undefined, bytes }
}

/** Returns undefined if the bytes are missing or damaged. */
async function readBody({ blobs }: SiteFilesDeps, row: SiteFileRow): Promise<Uint8Array | undefined> {
  try {
    const packed = await bodies.find(blobs, row)
    return !packed || packed.length === 0 ? packed : await bodies.unpack(packed)
  } catch (thrown) {
    if (isStoreUnavailable(thrown)) throw thrown
    return undefined
  }
}

async function keep(deps: SiteFilesDeps, teamId: string, url: string, file: SiteFile): Promise<void> {
  const packed = file.bytes.length === 0 ? file.bytes : await pack(file.bytes)
  await storeSiteFile(deps.store.query, {
    team_id: teamId,
    url,
    status: file.status,
    content_type: file.contentType ?? null,
    ...(await bodies.keep(deps.blobs, packed)),
    fetched_at: deps.clock.now(),
  })
}
