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
  /** True if other processes use the same cache. */
  isShared: boolean
  cacheSpace: CacheSpace
}

/** Space limits of the page cache. */
export interface CacheSpace {
  /** Bytes of cached pages per team. */
  maxTeamBytes: number
  /** True if the disk of the cache is so full that nothing more is cached. */
  isFull(): Promise<boolean>
}

export interface CachedPage {
  page: Page
  /** Metadata and warnings of the page. */
  notes: CachedPageData
}

export interface PageCache {
  /** Returns a cached page that the policy accepts; undefined on a miss. */
  lookUp(teamId: string, policy: CachePolicy): Promise<CachedPage | undefined>
  /**
   * Stores a page for later calls of the team. Never fails, because the page is also returned to the caller. Resolves
   * when later calls can find the page. In a single-process installation it resolves immediately, because lookups wait
   * for the pending write. Returns a warning if the page is not cached for lack of space.
   */
  store(teamId: string, policy: CachePolicy, entry: CachedPage): Promise<string | undefined>
  /** Resolves when all pending writes are finished. */
  settled(): Promise<void>
}

const bodies = compressedRows('pages')

export function createPageCache(deps: CacheDeps): PageCache {
  const pendingWrites = new Map<string, Promise<void>>()
  return {
    async lookUp(teamId, policy) {
      if (!policy.read) return undefined
      await pendingWrites.get(teamId + policy.key)
      const now = deps.clock.now()
      const criteria = {
        teamId,
        cacheKey: policy.key,
        fetchedAfter: Math.max(0, now - Math.min(policy.read.maxAge, now)),
        // Without minAge there is no upper bound: the clock of the process that stored the page may be slightly ahead.
        fetchedBefore: policy.read.minAge === 0 ? Number.MAX_SAFE_INTEGER : now - policy.read.minAge,
      }
      for (;;) {
        const row = await findRow(deps.store.query, criteria, policy.screenshot)
        if (!row) return undefined
        try {
          const cached = await readRow(deps, row, policy)
          if (cached) return cached
          deps.log.warn({ page: row.id }, 'a cached page is missing; the entry is removed')
        } catch (cause) {
          if (isStoreUnavailable(cause)) throw cause
          deps.log.warn({ cause, page: row.id }, 'a cached page cannot be read; the entry is removed')
        }
        // Each iteration removes a row, so the loop terminates.
        await removePage(deps.store.query, row.id)
      }
    },
    async store(teamId, policy, { page, notes }) {
      // Error responses are not cached.
      if (!policy.write || page.status >= 400) return undefined
      if (await deps.cacheSpace.isFull()) return diskFullWarning
      const pendingKey = teamId + policy.key
      const writing = write(deps, { teamId, policy }, { page, notes })
        .catch((cause) => deps.log.error({ cause }, 'a page could not be kept in the cache'))
        .finally(() => {
          if (pendingWrites.get(pendingKey) === writing) pendingWrites.delete(pendingKey)
        })
      pendingWrites.set(pendingKey, writing)
      if (deps.isShared) await writing
      return undefined
    },
    async settled() {
      await Promise.all(pendingWrites.values())
    },
  }
}

/** Returns the page of an entry; undefined if its blob is missing. Throws if the entry is damaged. */
async function readRow(deps: CacheDeps, row: PageRow, policy: CachePolicy): Promise<CachedPage | undefined> {
  const packed = await bodies.read(deps.blobs, row)
  if (!packed) return undefined
  const notes = parsePageData(row)
  const { page, screenshot } = splitScreenshot(packed, notes?.picture)
  const bytes = await bodies.unpack(page)
  const captures = policy.screenshot && screenshot ? { captures: { screenshot } } : {}
  return { page: { ...pageOf(row, bytes), ...captures }, notes: toCachedData(notes, deps.version) }
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

/** Returns the newest version with a matching screenshot, or any accepted version if no screenshot is requested. */
async function findRow(
  query: Queryable,
  criteria: Parameters<typeof findPage>[1],
  screenshot: CachePolicy['screenshot'],
): Promise<PageRow | undefined> {
  if (!screenshot) return findPage(query, criteria)
  const rows = await findVersions(query, criteria)
  return rows.find((row) => mayHaveScreenshot(row, screenshot))
}

/**
 * Returns true if the row may have a matching screenshot. An unreadable row is included, so that reading it fails and
 * removes it.
 */
function mayHaveScreenshot(row: PageRow, screenshot: NonNullable<CachePolicy['screenshot']>): boolean {
  try {
    return isScreenshotFor(parsePageData(row)?.picture, screenshot)
  } catch {
    return true
  }
}

function parsePageData(row: PageRow): StoredPageData | undefined {
  return row.notes === null ? undefined : cachedPageDataColumn.read(row.notes)
}

function toCachedData(stored: StoredPageData | undefined, version: string): CachedPageData {
  if (!stored) return { metadata: undefined, warnings: [] }
  const { metadata, warnings } = stored
  return { metadata: stored.version === version ? metadata : undefined, warnings }
}

async function write(
  deps: CacheDeps,
  { teamId, policy }: { teamId: string; policy: CachePolicy },
  { page, notes }: CachedPage,
): Promise<void> {
  const compressed = await pack(page.text === undefined ? page.bytes : Buffer.from(page.text))
  const screenshot = policy.screenshot && page.captures?.screenshot
  // Screenshots are already compressed.
  const packed = screenshot ? Buffer.concat([compressed, screenshot.bytes]) : compressed
  const screenshotColumn =
    screenshot && policy.screenshot ? { picture: describeScreenshot(screenshot, policy.screenshot) } : {}
  const headers = storedHeaders.write(page.headers)
  const notesColumn = cachedPageDataColumn.write({ ...notes, ...screenshotColumn, version: deps.version })
  const bytes =
    packed.length + headers.length + notesColumn.length + page.url.length + page.requestedUrl.length
  const { maxTeamBytes } = deps.cacheSpace
  // A page of this size would evict all other pages of the team, and then be evicted as well.
  if (bytes > maxTeamBytes) return
  const body = await bodies.write(deps.blobs, packed)
  const row = {
    ...{ cache_key: policy.key, team_id: teamId, url: page.url, requested_url: page.requestedUrl },
    ...{ status: page.status, headers, rendered: page.text === undefined ? 0 : 1 },
    ...{ ...body, notes: notesColumn, fetched_at: page.fetchedAt, bytes },
  }
  await storePage(deps.store, row, { maxTeamBytes }).catch(async (thrown: unknown) => {
    if (body.blob !== null)
      await recordUnusedBlobs(deps.store.query, [body.blob], deps.clock.now() + deletionGraceMs)
    throw thrown
  })
}

const diskFullWarning =
  'cache: the page was not stored, because the disk of DATA_DIR is almost full. The operator has to free space.'
