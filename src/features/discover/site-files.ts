import type { HttpResponse } from '../../fetch/network/client.ts'
import { isStoreUnavailable } from '../../platform/errors.ts'
import { findSiteFile, storeSiteFile } from '../../store/site-files.ts'
import { compressedRows, pack } from '../../store/stored-json.ts'
import type { Deps } from '../needs.ts'

export interface SiteFile {
  status: number
  url: string
  contentType: string | undefined
  bytes: Uint8Array
}

interface SiteFilesDeps extends Pick<Deps, 'store' | 'blobs' | 'clock'> {
  get: (teamId: string, url: URL, signal: AbortSignal) => Promise<HttpResponse>
}

interface ReadOptions {
  maxAge: number
  signal: AbortSignal
}

export type SiteFiles = ReturnType<typeof createSiteFileReader>

const bodies = compressedRows('site_files')

export function createSiteFileReader(deps: SiteFilesDeps) {
  return {
    async read(teamId: string, url: URL, { maxAge, signal }: ReadOptions): Promise<SiteFile> {
      const cached = maxAge > 0 ? await findCached(deps, { teamId, url: url.href, maxAge }) : undefined
      if (cached) return cached
      const response = await deps.get(teamId, url, signal)
      const file = {
        status: response.status,
        url: response.url.href,
        contentType: response.headers['content-type'],
        bytes: response.status === 200 ? response.bytes : new Uint8Array(),
      }
      // Server errors are not cached, because they may be temporary.
      if (file.status < 500 && file.status !== 429) await storeFile(deps, teamId, url.href, file)
      return file
    },
  }
}

async function findCached(deps: SiteFilesDeps, query: { teamId: string; url: string; maxAge: number }) {
  const fetchedAfter = deps.clock.now() - query.maxAge
  const row = await findSiteFile(deps.store.query, { ...query, fetchedAfter })
  if (!row) return undefined
  try {
    const packed = await bodies.read(deps.blobs, row)
    const bytes = packed && (packed.length === 0 ? packed : await bodies.unpack(packed))
    return bytes && { status: row.status, url: row.url, contentType: row.content_type ?? undefined, bytes }
  } catch (thrown) {
    if (isStoreUnavailable(thrown)) throw thrown
    return undefined
  }
}

async function storeFile(deps: SiteFilesDeps, teamId: string, url: string, file: SiteFile): Promise<void> {
  const packed = file.bytes.length === 0 ? file.bytes : await pack(file.bytes)
  await storeSiteFile(deps.store.query, {
    team_id: teamId,
    url,
    status: file.status,
    content_type: file.contentType ?? null,
    ...(await bodies.write(deps.blobs, packed)),
    fetched_at: deps.clock.now(),
  })
}
