import { promisify } from 'node:util'
import zlib from 'node:zlib'
import type { Clock } from '../../base/clock.ts'
import { newId } from '../../base/ids.ts'
import type { HttpAnswer } from '../../network/client.ts'
import type { Blobs } from '../../ports/blobs.ts'
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
  get: (url: URL, signal: AbortSignal) => Promise<HttpAnswer>
}

export interface SiteFiles {
  /** A file of a site, from the team's cache when it is younger than this, else from the site. */
  read(teamId: string, url: URL, options: { maxAge: number; signal: AbortSignal }): Promise<SiteFile>
}

/** Compressed bytes up to here live in the row. */
const largestInRow = 256 * 1024

const compress = promisify<Uint8Array, Uint8Array>(zlib.zstdCompress)
const decompress = promisify<Uint8Array, Uint8Array>(zlib.zstdDecompress)

/** Files that sites put up for machines: robots.txt, sitemaps, feeds, llms.txt. Kept per team, as pages are. */
export function siteFiles(needs: SiteFilesNeeds): SiteFiles {
  return {
    async read(teamId, url, { maxAge, signal }) {
      const kept = maxAge > 0 ? await lookUp(needs, { teamId, url: url.href, maxAge }) : undefined
      if (kept) return kept
      const answer = await needs.get(url, signal)
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
  const packed = row.body ?? (row.blob === null ? undefined : await needs.blobs.get(row.blob))
  if (!packed) return undefined
  const bytes = packed.length === 0 ? packed : await decompress(packed)
  return { status: row.status, url: row.url, contentType: row.content_type ?? undefined, bytes }
}

async function keep(needs: SiteFilesNeeds, teamId: string, url: string, file: SiteFile): Promise<void> {
  const packed = file.bytes.length === 0 ? file.bytes : await compress(file.bytes)
  const isSmall = packed.length <= largestInRow
  const blob = isSmall ? null : `site-files/${newId()}`
  if (blob !== null) await needs.blobs.put(blob, packed)
  const old = await keepSiteFile(needs.store.query, {
    team_id: teamId,
    url,
    status: file.status,
    content_type: file.contentType ?? null,
    body: isSmall ? packed : null,
    blob,
    fetched_at: needs.clock.now(),
  })
  if (old !== undefined) await needs.blobs.delete(old)
}
