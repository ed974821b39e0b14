import { z } from 'zod'
import type { PageMetadata } from '../../content/metadata.ts'
import type { Page, ScreenshotOptions } from '../../content/page.ts'
import { isStoreUnavailable } from '../../platform/errors.ts'
import { deletionGraceMs, recordUnusedBlobs } from '../../store/blob-names.ts'
import { findPage, findVersions, type PageRow, removePage, storePage } from '../../store/pages.ts'
import type { Queryable } from '../../store/schema.ts'
import { compressedRows, pack, storedJson } from '../../store/stored-json.ts'
import type { Deps } from '../needs.ts'
import type { CachePolicy } from './plan.ts'

export interface CacheDeps extends Pick<Deps, 'store' | 'blobs' | 'clock' | 'log' | 'version'> {
  isShared: boolean
  cacheSpace: CacheSpace
}

export interface CacheSpace {
  maxTeamBytes: number
  isFull(): Promise<boolean>
}

export interface CachedPage {
  page: Page
  notes: CachedPageData
}

const bodies = compressedRows('pages')

export type PageCache = ReturnType<typeof createPageCache>

export function createPageCache(deps: CacheDeps) {
  const pendingWrites = new Map<string, Promise<void>>()
  return {
    async lookUp(teamId: string, policy: CachePolicy): Promise<CachedPage | undefined> {
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
        await removePage(deps.store.query, row.id)
      }
    },
    /** Never fails; returns a warning if space is lacking. A single process need not wait, as lookups do. */
    async store(teamId: string, policy: CachePolicy, entry: CachedPage): Promise<string | undefined> {
      if (!policy.write || entry.page.status >= 400) return undefined
      if (await deps.cacheSpace.isFull()) return diskFullWarning
      const pendingKey = teamId + policy.key
      const writing = write(deps, { teamId, policy }, entry)
        .catch((cause) => deps.log.error({ cause }, 'a page could not be kept in the cache'))
        .finally(() => {
          if (pendingWrites.get(pendingKey) === writing) pendingWrites.delete(pendingKey)
        })
      pendingWrites.set(pendingKey, writing)
      if (deps.isShared) await writing
      return undefined
    },
    settled: () => Promise.all(pendingWrites.values()),
  }
}

/** Returns undefined if the blob of the entry is missing. Throws if the entry is damaged. */
async function readRow(deps: CacheDeps, row: PageRow, policy: CachePolicy): Promise<CachedPage | undefined> {
  const packed = await bodies.read(deps.blobs, row)
  if (!packed) return undefined
  const stored = parsePageData(row)
  const picture = stored?.picture
  const end = packed.length - (picture?.size ?? 0)
  const bytes = await bodies.unpack(packed.subarray(0, end))
  const screenshot = picture && { bytes: packed.subarray(end), mediaType: picture.mediaType }
  const page: Page = {
    requestedUrl: row.requested_url,
    url: row.url,
    status: row.status,
    headers: storedHeaders.read(row.headers),
    ...(row.rendered === 1 ? { bytes: new Uint8Array(), text: Buffer.from(bytes).toString() } : { bytes }),
    fetchedAt: row.fetched_at,
    ...(policy.screenshot && screenshot ? { captures: { screenshot } } : {}),
  }
  const metadata = stored?.version === deps.version ? stored.metadata : undefined
  return { page, notes: { metadata, warnings: stored?.warnings ?? [] } }
}

async function findRow(
  query: Queryable,
  criteria: Parameters<typeof findPage>[1],
  screenshot: CachePolicy['screenshot'],
): Promise<PageRow | undefined> {
  if (!screenshot) return findPage(query, criteria)
  const rows = await findVersions(query, criteria)
  return rows.find((row) => mayHaveScreenshot(row, screenshot))
}

/** Includes unreadable rows, so that reading them fails and removes them. The cache key contains the viewport. */
function mayHaveScreenshot(row: PageRow, screenshot: ScreenshotOptions): boolean {
  try {
    const cached = parsePageData(row)?.picture
    const { fullPage, quality } = shapeOf(screenshot)
    return cached !== undefined && cached.fullPage === fullPage && cached.quality === quality
  } catch {
    return true
  }
}

const shapeOf = ({ fullPage, quality }: ScreenshotOptions) => ({
  ...{ fullPage, quality: quality === undefined ? null : Math.round(quality) },
})

const parsePageData = (row: PageRow) =>
  row.notes === null ? undefined : cachedPageDataColumn.read(row.notes)

async function write(
  deps: CacheDeps,
  { teamId, policy }: { teamId: string; policy: CachePolicy },
  { page, notes }: CachedPage,
): Promise<void> {
  const compressed = await pack(page.text === undefined ? page.bytes : Buffer.from(page.text))
  const screenshot = policy.screenshot && page.captures?.screenshot
  const packed = screenshot ? Buffer.concat([compressed, screenshot.bytes]) : compressed
  const picture = screenshot &&
    policy.screenshot && {
      ...{ ...shapeOf(policy.screenshot), mediaType: screenshot.mediaType, size: screenshot.bytes.length },
    }
  const headers = storedHeaders.write(page.headers)
  const notesColumn = cachedPageDataColumn.write({ ...notes, picture, version: deps.version })
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

type UnknownRecord = Record<string, unknown>

const isText = (value: unknown) => typeof value === 'string'
const isObject = (value: unknown): value is UnknownRecord =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textFields = ['title', 'description', 'language', 'keywords']
const isTextOrList = (value: unknown) => isText(value) || (Array.isArray(value) && value.every(isText))

// Each cache hit parses both values. Hand-written checks are three times as fast as a parser for each field.
const metadata = z.custom<PageMetadata>(
  (value) =>
    isObject(value) &&
    Object.values(value).every(isTextOrList) &&
    textFields.every((name) => value[name] === undefined || isText(value[name])) &&
    !isText(value.ogLocaleAlternate),
  'texts and lists of texts expected',
)
const texts = z.custom<Record<string, string>>(
  (value) => isObject(value) && Object.values(value).every(isText),
  'texts expected',
)

const pageData = z.object({
  metadata: metadata.optional(),
  warnings: z.array(z.string()).default([]),
  version: z.string(),
  /** Screenshot, whose bytes follow the page bytes in the same blob. */
  picture: z
    .object({
      fullPage: z.boolean(),
      quality: z.number().nullable(),
      mediaType: z.string(),
      size: z.number(),
    })
    .optional(),
})

export type CachedPageData = Pick<z.output<typeof pageData>, 'metadata' | 'warnings'>

export const cachedPageDataColumn = storedJson({ table: 'pages', column: 'notes' }, pageData)
export const storedHeaders = storedJson({ table: 'pages', column: 'headers' }, texts)
