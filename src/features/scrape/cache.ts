import type { Page } from '../../content/page.ts'
import { isUnavailable } from '../../platform/errors.ts'
import { noteUnusedBlobs, unsureMs } from '../../store/blob-names.ts'
import { findPage, findVersions, keepPage, type PageRow, removePage } from '../../store/pages.ts'
import type { Queryable } from '../../store/schema.ts'
import { pack, packedRows } from '../../store/stored-json.ts'
import type { Needs } from '../needs.ts'
import {
  isPictureFor,
  notePicture,
  type PageNotes,
  storedHeaders,
  storedNotes,
  takeApart,
  type WrittenNotes,
} from './page-notes.ts'
import type { CachePolicy } from './plan.ts'

export interface CacheNeeds extends Pick<Needs, 'store' | 'blobs' | 'clock' | 'log' | 'version'> {
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

export interface KeptPage {
  page: Page
  notes: PageNotes
}

export interface PageCache {
  /** The kept page that the policy accepts, if there is one. */
  lookUp(teamId: string, policy: CachePolicy): Promise<KeptPage | undefined>
  /**
   * Keeps a page for later calls of the team. Resolves when they would find it: at once where all of them come through
   * this process, since then they wait for it here. Never fails: the page is already on its way to the caller. Returns a
   * warning if the page is not cached for lack of space.
   */
  keep(teamId: string, policy: CachePolicy, kept: KeptPage): Promise<string | undefined>
  /** Resolves when everything that is being kept is kept. */
  settled(): Promise<void>
}

const bodies = packedRows('pages')

export function pageCache(needs: CacheNeeds): PageCache {
  const underWay = new Map<string, Promise<void>>()
  return {
    async lookUp(teamId, policy) {
      if (!policy.read) return undefined
      await underWay.get(teamId + policy.key)
      const now = needs.clock.now()
      const wanted = {
        teamId,
        cacheKey: policy.key,
        fetchedAfter: Math.max(0, now - Math.min(policy.read.maxAge, now)),
        // Another process may have kept it by a clock that is a little ahead.
        fetchedBefore: policy.read.minAge === 0 ? Number.MAX_SAFE_INTEGER : now - policy.read.minAge,
      }
      for (;;) {
        const row = await findRow(needs.store.query, wanted, policy.picture)
        if (!row) return undefined
        try {
          const kept = await readRow(needs, row, policy)
          if (kept) return kept
          needs.log.warn({ page: row.id }, 'a cached page is missing; the entry is removed')
        } catch (cause) {
          if (isUnavailable(cause)) throw cause
          needs.log.warn({ cause, page: row.id }, 'a cached page cannot be read; the entry is removed')
        }
        // Each turn removes a row, so this ends.
        await removePage(needs.store.query, row.id)
      }
    },
    async keep(teamId, policy, { page, notes }) {
      // Answers of an error are not worth keeping.
      if (!policy.write || page.status >= 400) return undefined
      if (await needs.cacheSpace.isFull()) return diskFull
      const name = teamId + policy.key
      const kept = write(needs, { teamId, policy }, { page, notes })
        .catch((cause) => needs.log.error({ cause }, 'a page could not be kept in the cache'))
        .finally(() => {
          if (underWay.get(name) === kept) underWay.delete(name)
        })
      underWay.set(name, kept)
      if (needs.isShared) await kept
      return undefined
    },
    async settled() {
      await Promise.all(underWay.values())
    },
  }
}

/** Returns undefined if the blob is missing. Throws if an entry is damaged. */
async function readRow(needs: CacheNeeds, row: PageRow, policy: CachePolicy): Promise<KeptPage | undefined> {
  const packed = await bodies.find(needs.blobs, row)
  if (!packed) return undefined
  const notes = writtenNotes(row)
  const { page, picture } = takeApart(packed, notes?.picture)
  const bytes = await bodies.unpack(page)
  const captures = policy.picture && picture ? { captures: { screenshot: picture } } : {}
  return { page: { ...pageOf(row, bytes), ...captures }, notes: notesOf(notes, needs.version) }
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
    return isPictureFor(writtenNotes(row)?.picture, picture)
  } catch {
    return true
  }
}

function writtenNotes(row: PageRow): WrittenNotes | undefined {
  return row.notes === null ? undefined : storedNotes.read(row.notes)
}

function notesOf(written: WrittenNotes | undefined, version: string): PageNotes {
  if (!written) return { metadata: undefined, warnings: [] }
  const { metadata, warnings } = written
  return { metadata: written.version === version ? metadata : undefined, warnings }
}

async function write(
  needs: CacheNeeds,
  { teamId, policy }: { teamId: string; policy: CachePolicy },
  { page, notes }: KeptPage,
): Promise<void> {
  const compressed = await pack(page.text === undefined ? page.bytes : Buffer.from(page.text))
  const screenshot = policy.picture && page.captures?.screenshot
  // A picture is compressed already.
  const packed = screenshot ? Buffer.concat([compressed, screenshot.bytes]) : compressed
  const picture = screenshot && policy.picture ? { picture: notePicture(screenshot, policy.picture) } : {}
  const headers = storedHeaders.write(page.headers)
  const written = storedNotes.write({ ...notes, ...picture, version: needs.version })
  const bytes = packed.length + headers.length + written.length + page.url.length + page.requestedUrl.length
  const { maxTeamBytes } = needs.cacheSpace
  // It would push out everything else of the team and then itself.
  if (bytes > maxTeamBytes) return
  const body = await bodies.keep(needs.blobs, packed)
  const row = {
    ...{ cache_key: policy.key, team_id: teamId, url: page.url, requested_url: page.requestedUrl },
    ...{ status: page.status, headers, rendered: page.text === undefined ? 0 : 1 },
    ...{ ...body, notes: written, fetched_at: page.fetchedAt, bytes },
  }
  await keepPage(needs.store, row, { maxTeamBytes }).catch(async (thrown: unknown) => {
    if (body.blob !== null)
      await noteUnusedBlobs(needs.store.query, [body.blob], needs.clock.now() + unsureMs)
    throw thrown
  })
}

const diskFull =
  'cache: the page was not stored, because the disk of DATA_DIR is almost full. The operator has to free space.'
