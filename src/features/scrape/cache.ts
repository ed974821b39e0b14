import type { Page } from '../../content/page.ts'
import { isStoreUnavailable } from '../../platform/errors.ts'
import { deletionGraceMs, recordUnusedBlobs } from '../../store/blob-names.ts'
import { findPage, findVersions, type PageRow, removePage, storePage } from '../../store/pages.ts'
import type { Queryable } from '../../store/schema.ts'
import { compressedRows, pack } from '../../store/stored-json.ts'
import type { Deps } from '../needs.ts'
import {
  type CachedPageData,
  cachedPageDataColumn,
  describeScreenshot,
  isScreenshotFor,
  type StoredPageData,
  splitScreenshot,
  storedHeaders,
} from './cached-page-data.ts'
import type { CachePolicy } from './plan.ts'

export interface CacheDeps extends Pick<Deps, 'store' | 'blobs' | 'clock' | 'log' | 'version'> {
  /** Whether other processes look into the same cache. */
  isShared: boolean
  cacheSpace: CacheSpace
}

/** Where and how much may be cached. */
export interface CacheSpace {
  /** Bytes of cached pages per team. */
  maxTeamBytes: number
  /** True if the disk of the cache is so full that nothing more is cached. */
  isFull(): Promise<boolean>
}

export interface CachedPage {
  page: Page
  notes: CachedPageData
}

export interface PageCache {
  /** The kept page that the policy accepts, if there is one. */
  lookUp(teamId: string, policy: CachePolicy): Promise<CachedPage | undefined>
  /**
   * Keeps a page for later calls of the team. Resolves when they would find it: at once where all of them come through
   * this process, since then they wait for it here. Never fails: the page is already on its way to the caller. Returns a
   * warning if the page is not cached for lack of space.
   */
  keep(teamId: string, policy: CachePolicy, kept: CachedPage): Promise<string | undefined>
  /** Resolves when everything that is being kept is kept. */
  settled(): Promise<void>
}

const bodies = compressedRows('pages')

export function createPageCache(deps: CacheDeps): PageCache {
  const underWay = new Map<string, Promise<void>>()
  return {
    async lookUp(teamId, policy) {
      if (!policy.read) return undefined
      await underWay.get(teamId + policy.key)
      const now = deps.clock.now()
      const wanted = {
        teamId,
        cacheKey: policy.key,
        fetchedAfter: Math.max(0, now - Math.min(policy.read.maxAge, now)),
        // Another process may have kept it by a clock that is a little ahead.
        fetchedBefore: policy.read.minAge === 0 ? Number.MAX_SAFE_INTEGER : now - policy.read.minAge,
      }
      for (;;) {
        const row = await findRow(deps.store.query, wanted, policy.picture)
        if (!row) return undefined
        try {
          const kept = await readRow(deps, row, policy)
          if (kept) return kept
          deps.log.warn({ page: row.id }, 'a cached page is missing; the entry is removed')
        } catch (cause) {
          if (isStoreUnavailable(cause)) throw cause
          deps.log.warn({ cause, page: row.id }, 'a cached page cannot be read; the entry is removed')
        }
        // Each turn removes a row, so this ends.
        await removePage(deps.store.query, row.id)
      }
    },
    async keep(teamId, policy, { page, notes }) {
      // Answers of an error are not worth keeping.
      if (!policy.write || page.status >= 400) return undefined
      if (await deps.cacheSpace.isFull()) return diskFull
      const name = teamId + policy.key
      const kept = write(deps, { teamId, policy }, { page, notes })
        .catch((cause) => deps.log.error({ cause }, 'a page could not be kept in the cache'))
        .finally(() => {
          if (underWay.get(name) === kept) underWay.delete(name)
        })
      underWay.set(name, kept)
      if (deps.isShared) await kept
      return undefined
    },
    async settled() {
      await Promise.all(underWay.values())
    },
  }
}

/** Returns undefined if the blob is missing. Throws if an entry is damaged. */
async function readRow(deps: CacheDeps, row: PageRow, policy: CachePolicy): Promise<CachedPage | undefined> {
  const packed = await bodies.find(deps.blobs, row)
  if (!packed) return undefined
  const notes = writtenNotes(row)
  const { page, picture } = splitScreenshot(packed, notes?.picture)
  const bytes = await bodies.unpack(page)
  const captures = policy.picture && picture ? { captures: { screenshot: picture } } : {}
  return { page: { ...pageOf(row, bytes), ...captures }, notes: notesOf(notes, deps.version) }
}

function pageOf(row: PageRow, bytes: Uint8Array): Page {
  return {
    requestedUrl: row.requested_url,
    url: row.url,
    status: row.status,
    headers: storedHeaders.read(row.headers),
    ...(row.rendered === 1 ? { bytes: new Uint8Array(), text: Buffer.from(bytes).toString() } : { bytes }),
    fetchedAt: row.fetched_at,
  }
}

/** Without a picture, any version will do; else the newest that has the very picture. */
async function findRow(
  query: Queryable,
  wanted: Parameters<typeof findPage>[1],
  picture: CachePolicy['picture'],
): Promise<PageRow | undefined> {
  if (!picture) return findPage(query, wanted)
  const rows = await findVersions(query, wanted)
  return rows.find((row) => mayHavePicture(row, picture))
}

/** True for a row that cannot be read too: reading it fails, and then it is removed. */
function mayHavePicture(row: PageRow, picture: NonNullable<CachePolicy['picture']>): boolean {
  try {
    return isScreenshotFor(writtenNotes(row)?.picture, picture)
  } catch {
    return true
  }
}

function writtenNotes(row: PageRow): StoredPageData | undefined {
  return row.notes === null ? undefined : cachedPageDataColumn.read(row.notes)
}

function notesOf(written: StoredPageData | undefined, version: string): CachedPageData {
  if (!written) return { metadata: undefined, warnings: [] }
  const { metadata, warnings } = written
  return { metadata: written.version === version ? metadata : undefined, warnings }
}

async function write(
  deps: CacheDeps,
  { teamId, policy }: { teamId: string; policy: CachePolicy },
  { page, notes }: CachedPage,
): Promise<void> {
  const compressed = await pack(page.text === undefined ? page.bytes : Buffer.from(page.text))
  const screenshot = policy.picture && page.captures?.screenshot
  // A picture is compressed already.
  const packed = screenshot ? Buffer.concat([compressed, screenshot.bytes]) : compressed
  const picture =
    screenshot && policy.picture ? { picture: describeScreenshot(screenshot, policy.picture) } : {}
  const headers = storedHeaders.write(page.headers)
  const written = cachedPageDataColumn.write({ ...notes, ...picture, version: deps.version })
  const bytes = packed.length + headers.length + written.length + page.url.length + page.requestedUrl.length
  const { maxTeamBytes } = deps.cacheSpace
  // It would push out everything else of the team and then itself.
  if (bytes > maxTeamBytes) return
  const body = await bodies.keep(deps.blobs, packed)
  const row = {
    ...{ cache_key: policy.key, team_id: teamId, url: page.url, requested_url: page.requestedUrl },
    ...{ status: page.status, headers, rendered: page.text === undefined ? 0 : 1 },
    ...{ ...body, notes: written, fetched_at: page.fetchedAt, bytes },
  }
  await storePage(deps.store, row, { maxTeamBytes }).catch(async (thrown: unknown) => {
    if (body.blob !== null)
      await recordUnusedBlobs(deps.store.query, [body.blob], deps.clock.now() + deletionGraceMs)
    throw thrown
  })
}

const diskFull =
  'cache: the page was not stored, because the disk of DATA_DIR is almost full. The operator has to free space.'
