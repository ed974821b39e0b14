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

const bodies = compressedRows('snapshots')

/** Concurrent scrapes are compared with the same version; the page fetched last becomes the current one. */
export function createChangeHistory(
  deps: HistoryDeps & { reader: Pick<PageReader, 'compare'> },
  tracked: Tracked,
  deadline: Pick<Deadline, 'signal'>,
): ChangeHistory & { commit(): Promise<void> } {
  const { page, who } = tracked
  const versions = new Map<string | null, CurrentVersion>()
  const removed = new Set<string>()
  const findPrevious = (tag: string | null, part: Part) =>
    previousVersion(deps, who.team, keyOf(tracked, tag, part))
  return {
    async compare(current, { tag, showsDifference, values }) {
      const isGone = page.status === 404 || page.status === 410
      if (page.status >= 400 && !isGone) {
        return { reason: `the site answered ${page.status}, so this is not a version of the page.` }
      }
      const previous = await findPrevious(tag, 'text')
      // An error page is not a version. The last good version is retained in case the page returns.
      if (isGone) {
        removed.add(keyOf(tracked, tag, 'text'))
        return toComparison('removed', previous === 'lost' ? undefined : previous)
      }
      const version = { text: current, values, status: 'new' as ChangeStatus, isTextChanged: false }
      versions.set(tag, version)
      if (previous === 'lost') {
        return { reason: 'the previous version could not be read; tracking restarts with this one.' }
      }
      if (!previous) return toComparison('new', previous)
      // Versions that are tracked without values do not replace the last values.
      const found = values === undefined ? undefined : await findPrevious(tag, 'values')
      const previousValues = found === 'lost' ? undefined : found
      const pair = { previous: previous.bytes, current, showsDifference }
      const valuePair =
        values !== undefined && previousValues
          ? { previous: previousValues.bytes, current: values }
          : undefined
      const compared = await deps.reader.compare({ ...pair, values: valuePair }, who, deadline.signal)
      const valueComparison = compared.values &&
        previousValues && { ...compared.values, previousAt: previousValues.scrapedAt }
      version.isTextChanged = !compared.isSame
      version.status = compared.isSame && !valueComparison?.isChanged ? 'same' : 'changed'
      if (version.status === 'same') return { ...toComparison('same', previous), values: valueComparison }
      if (previous.scrapedAt > page.fetchedAt) {
        return { reason: 'this copy of the page is older than the last tracked version.' }
      }
      const { difference } = compared
      return { ...toComparison('changed', previous), difference, values: valueComparison }
    },
    /** Call it only after a successful scrape: a change that was not reported must be detected again. */
    async commit() {
      for (const [tag, version] of versions) await storeVersion(deps, tracked, { tag, ...version })
      for (const key of removed) await recordRemoved(deps.store.query, who.team, key)
    },
  }
}

interface CurrentVersion {
  text: string | Uint8Array
  values: string | Uint8Array | undefined
  status: ChangeStatus
  isTextChanged: boolean
}

type ChangeStatus = Comparison['changeStatus']
type Part = 'text' | 'values'

function keyOf({ url, redaction }: Pick<Tracked, 'url' | 'redaction'>, tag: string | null, part: Part) {
  const partSuffix = part === 'values' ? [part] : []
  return createHash('sha256')
    .update(JSON.stringify([pageUrl(url), tag, ...(redaction ? [redaction] : []), ...partSuffix]))
    .digest('hex')
}

interface Tracked {
  who: PermitOwner
  url: URL
  /** Redacted versions have a separate history, because a difference contains text of the previous version. */
  redaction?: Redaction | undefined
  page: Page
}

interface Version {
  bytes: Uint8Array
  scrapedAt: number
}

function toComparison(changeStatus: ChangeStatus, previous: Version | undefined): Comparison {
  return { changeStatus, previousAt: previous?.scrapedAt, difference: undefined }
}

async function previousVersion(deps: HistoryDeps, teamId: string, snapshotKey: string) {
  let missingBlob: string | null = null
  for (;;) {
    const row = await findSnapshot(deps.store.query, teamId, snapshotKey)
    if (!row) return undefined
    const bytes = await readBody(deps, row)
    if (bytes) return { bytes, scrapedAt: row.scraped_at }
    // A commit between the two reads replaces the blob, so read the row again.
    if (row.blob === missingBlob) return 'lost'
    missingBlob = row.blob
  }
}

/** Returns undefined if the bytes are missing or damaged. Other errors may be temporary and are thrown. */
async function readBody({ blobs }: HistoryDeps, row: SnapshotRow): Promise<Uint8Array | undefined> {
  try {
    const packed = await bodies.read(blobs, row)
    return packed && (await bodies.unpack(packed))
  } catch (thrown) {
    if (isDamaged(thrown) || isUnreadable(thrown)) return undefined
    throw thrown
  }
}

async function storeVersion(
  deps: HistoryDeps,
  tracked: Tracked,
  version: CurrentVersion & { tag: string | null },
): Promise<void> {
  const rows: NewSnapshot[] = []
  try {
    for (const part of ['text', 'values'] as const) {
      const body = version[part]
      if (body === undefined) continue
      const row = await buildRow(deps, tracked, { ...version, part, body })
      rows.push({ row, keepsOlder: part === 'text' && version.isTextChanged })
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

async function buildRow(
  deps: HistoryDeps,
  { who, url, redaction, page }: Tracked,
  version: { tag: string | null; status: ChangeStatus; part: Part; body: string | Uint8Array },
): Promise<SnapshotRow> {
  const { tag, status, part, body } = version
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  const packed = await pack(bytes)
  const at = page.fetchedAt
  return {
    team_id: who.team,
    snapshot_key: keyOf({ url, redaction }, tag, part),
    url: pageUrl(url),
    ...(await bodies.write(deps.blobs, packed)),
    ...{ tag, part, redacted: redaction ? 1 : 0, size: bytes.length, last_status: status },
    ...{ first_seen: at, since: at, scraped_at: at },
  }
}
