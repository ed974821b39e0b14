import { createHash } from 'node:crypto'
import type { ChangeHistory, Comparison } from '../../content/diff.ts'
import type { Page } from '../../content/page.ts'
import type { Redaction } from '../../extraction/redaction/redact.ts'
import type { PageReader } from '../../extraction/workers/page-reader.ts'
import type { Deadline } from '../../platform/deadline.ts'
import { isDamaged } from '../../platform/errors.ts'
import type { PermitOwner } from '../../platform/permits.ts'
import { pageUrl } from '../../platform/url.ts'
import { deletionGraceMs, recordUnusedBlobs } from '../../store/blob-names.ts'
import {
  findSnapshot,
  type NewSnapshot,
  recordRemoved,
  type SnapshotRow,
  storeSnapshots,
} from '../../store/snapshots.ts'
import { compressedRows, isUnreadable, pack } from '../../store/stored-json.ts'
import type { Deps } from '../needs.ts'

export type HistoryDeps = Pick<Deps, 'store' | 'blobs'>

/** The history of one page of a team, for the length of one scrape. */
export interface ScrapeHistory extends ChangeHistory {
  /**
   * Keeps what was compared as the version that the next scrape is compared with. Called when the scrape has ended
   * well: a change that was not reported must be found again.
   */
  commit(): Promise<void>
}

const bodies = compressedRows('snapshots')

/**
 * Two scrapes of a page at once are both compared with the version that was there before them, which their answers
 * name by its time; then the page that was fetched last stays. `url` is the one that was asked for.
 */
export function createChangeHistory(
  deps: HistoryDeps & { reader: Pick<PageReader, 'compare'> },
  tracked: Tracked,
  deadline: Pick<Deadline, 'signal'>,
): ScrapeHistory {
  const { page, who } = tracked
  const versions = new Map<string | null, CurrentVersion>()
  const removed = new Set<string>()
  return {
    async compare(current, { tag, showsDifference, values }) {
      const isGone = page.status === 404 || page.status === 410
      if (page.status >= 400 && !isGone) {
        return { reason: `the site answered ${page.status}, so this is not a version of the page.` }
      }
      const key = keyOf(tracked, tag, 'text')
      const found = await previousVersion(deps, who.team, key)
      // What is said of a page that is gone is no version of it: the last good one waits for its return.
      if (isGone) {
        removed.add(key)
        return told('removed', found === 'lost' ? undefined : found)
      }
      const version = { text: current, values, status: 'new' as ChangeStatus, isOther: false }
      versions.set(tag, version)
      if (found === 'lost') {
        return { reason: 'the previous version could not be read; tracking restarts with this one.' }
      }
      if (!found) return told('new', found)
      const before =
        values === undefined ? undefined : await earlierValues(deps, who.team, keyOf(tracked, tag, 'values'))
      const pair = { previous: found.bytes, current, showsDifference }
      const both = values !== undefined && before ? { previous: before.bytes, current: values } : undefined
      const compared = await deps.reader.compare({ ...pair, values: both }, who, deadline.signal)
      const ofValues = compared.values && before && { ...compared.values, previousAt: before.scrapedAt }
      version.isOther = !compared.isSame
      version.status = compared.isSame && !ofValues?.isChanged ? 'same' : 'changed'
      if (version.status === 'same') return { ...told('same', found), values: ofValues }
      if (found.scrapedAt > page.fetchedAt) {
        return { reason: 'this copy of the page is older than the last tracked version.' }
      }
      return { ...told('changed', found), difference: compared.difference, values: ofValues }
    },
    async commit() {
      for (const [tag, version] of versions) await keepVersion(deps, tracked, { tag, ...version })
      for (const key of removed) await recordRemoved(deps.store.query, who.team, key)
    },
  }
}

interface CurrentVersion {
  text: string | Uint8Array
  /** What it says of the fields of a schema, where that was requested. */
  values: string | Uint8Array | undefined
  status: ChangeStatus
  /** Its text is another than that of the version before, which is kept beside it then. */
  isOther: boolean
}

type ChangeStatus = Comparison['changeStatus']
type Part = 'text' | 'values'

function keyOf(
  { url, redaction }: Pick<Tracked, 'url' | 'redaction'>,
  tag: string | null,
  part: Part,
): string {
  const ofValues = part === 'values' ? [part] : []
  return createHash('sha256')
    .update(JSON.stringify([pageUrl(url), tag, ...(redaction ? [redaction] : []), ...ofValues]))
    .digest('hex')
}

interface Tracked {
  who: PermitOwner
  url: URL
  /** Redacted versions are a history of their own: a difference shows what was there before. */
  redaction?: Redaction | undefined
  page: Page
}

interface Version {
  /** Its text in UTF-8. */
  bytes: Uint8Array
  scrapedAt: number
}

function told(changeStatus: Comparison['changeStatus'], previous: Version | undefined): Comparison {
  return { changeStatus, previousAt: previous?.scrapedAt, difference: undefined }
}

async function previousVersion(
  deps: HistoryDeps,
  teamId: string,
  snapshotKey: string,
): Promise<Version | 'lost' | undefined> {
  let missing: string | null = null
  for (;;) {
    const row = await findSnapshot(deps.store.query, teamId, snapshotKey)
    if (!row) return undefined
    const bytes = await readBody(deps, row)
    if (bytes) return { bytes, scrapedAt: row.scraped_at }
    // A commit between the two reads takes the blob away and leaves another one: then the row names that.
    if (row.blob === missing) return 'lost'
    missing = row.blob
  }
}

/** Returns undefined if the bytes are missing or damaged. Any other failure may pass, and must not cost the version. */
async function readBody({ blobs }: HistoryDeps, row: SnapshotRow): Promise<Uint8Array | undefined> {
  try {
    const packed = await bodies.find(blobs, row)
    return packed && (await bodies.unpack(packed))
  } catch (thrown) {
    if (isDamaged(thrown) || isUnreadable(thrown)) return undefined
    throw thrown
  }
}

/** Those that were kept last: a version that was tracked without values leaves them alone. */
async function earlierValues(
  deps: HistoryDeps,
  teamId: string,
  snapshotKey: string,
): Promise<Version | undefined> {
  const found = await previousVersion(deps, teamId, snapshotKey)
  return found === 'lost' ? undefined : found
}

async function keepVersion(
  deps: HistoryDeps,
  tracked: Tracked,
  version: CurrentVersion & { tag: string | null },
): Promise<void> {
  const rows: NewSnapshot[] = []
  try {
    for (const part of ['text', 'values'] as const) {
      const body = version[part]
      if (body === undefined) continue
      const row = await rowOf(deps, tracked, version, { part, body })
      rows.push({ row, keepsOlder: part === 'text' && version.isOther })
    }
    await storeSnapshots(deps.store, rows)
  } catch (thrown) {
    await recordUnusedBlobs(
      deps.store.query,
      rows.flatMap(({ row }) => row.blob ?? []),
      Math.max(0, ...rows.map(({ row }) => row.scraped_at)) + deletionGraceMs,
    )
    throw thrown
  }
}

async function rowOf(
  deps: HistoryDeps,
  { who, url, redaction, page }: Tracked,
  { tag, status }: Pick<CurrentVersion, 'status'> & { tag: string | null },
  { part, body }: { part: Part; body: string | Uint8Array },
): Promise<SnapshotRow> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const packed = await pack(bytes)
  const at = page.fetchedAt
  return {
    team_id: who.team,
    snapshot_key: keyOf({ url, redaction }, tag, part),
    url: pageUrl(url),
    ...(await bodies.keep(deps.blobs, packed)),
    ...{ tag, part, redacted: redaction ? 1 : 0, size: bytes.length, last_status: status },
    ...{ first_seen: at, since: at, scraped_at: at },
  }
}
