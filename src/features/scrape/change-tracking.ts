import { createHash } from 'node:crypto'
import type { Deadline } from '../../base/deadline.ts'
import type { PlaceWish } from '../../base/fair-places.ts'
import { pageUrl } from '../../base/url.ts'
import type { ChangeHistory, Comparison } from '../../content/diff.ts'
import type { Page } from '../../content/page.ts'
import type { Redaction } from '../../page-data/redaction.ts'
import type { PageReader } from '../../page-threads/page-reader.ts'
import type { Blobs } from '../../ports/blobs.ts'
import { pack, packedRows } from '../../store/packed.ts'
import type { Store } from '../../store/schema.ts'
import { findSnapshot, keepSnapshot } from '../../store/snapshots.ts'

export interface HistoryNeeds {
  store: Store
  blobs: Blobs
}

/** The history of one page of a team, for the length of one scrape. */
export interface ScrapeHistory extends ChangeHistory {
  /**
   * Keeps what was compared as the version that the next scrape is compared with. Called when the scrape has ended
   * well: a change that nobody was told of must be found again.
   */
  commit(): Promise<void>
}

const bodies = packedRows('snapshots')

/**
 * Two scrapes of a page at once are both compared with the version that was there before them, which their answers
 * name by its time; then the page that was fetched last stays. `url` is the one that was asked for.
 */
export function changeHistory(
  needs: HistoryNeeds & { reader: Pick<PageReader, 'compare'> },
  tracked: Tracked,
  deadline: Pick<Deadline, 'signal'>,
): ScrapeHistory {
  const { page, who } = tracked
  const versions = new Map<string | null, string | Uint8Array>()
  return {
    async compare(current, { tag, showsDifference }) {
      const isGone = page.status === 404 || page.status === 410
      if (page.status >= 400 && !isGone) {
        return { reason: `the site answered ${page.status}, so this is not a version of the page.` }
      }
      const found = await previousVersion(needs, who.team, keyOf(tracked, tag))
      // What is said of a page that is gone is no version of it: the last good one waits for its return.
      if (isGone) return told('removed', found === 'lost' ? undefined : found)
      versions.set(tag, current)
      if (found === 'lost') {
        return { reason: 'the previous version could not be read; tracking restarts with this one.' }
      }
      if (!found) return told('new', found)
      const pair = { previous: found.bytes, current, showsDifference }
      const { isSame, difference } = await needs.reader.compare(pair, who, deadline.signal)
      if (isSame) return told('same', found)
      if (found.scrapedAt > page.fetchedAt) {
        return { reason: 'this copy of the page is older than the last tracked version.' }
      }
      return { ...told('changed', found), difference }
    },
    async commit() {
      for (const [tag, text] of versions) await keepVersion(needs, tracked, { tag, text })
    },
  }
}

function keyOf({ url, redaction }: Pick<Tracked, 'url' | 'redaction'>, tag: string | null): string {
  return createHash('sha256')
    .update(JSON.stringify([pageUrl(url), tag, ...(redaction ? [redaction] : [])]))
    .digest('hex')
}

interface Tracked {
  who: PlaceWish
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
  needs: HistoryNeeds,
  teamId: string,
  snapshotKey: string,
): Promise<Version | 'lost' | undefined> {
  let missing: string | null = null
  for (;;) {
    const row = await findSnapshot(needs.store.query, teamId, snapshotKey)
    if (!row) return undefined
    const packed = await bodies.find(needs.blobs, row)
    if (packed) return { bytes: await bodies.unpack(packed), scrapedAt: row.scraped_at }
    // A commit between the two reads takes the blob away and leaves another one: then the row names that.
    if (row.blob === missing) return 'lost'
    missing = row.blob
  }
}

async function keepVersion(
  needs: HistoryNeeds,
  { who, url, redaction, page }: Tracked,
  { tag, text }: { tag: string | null; text: string | Uint8Array },
): Promise<void> {
  const packed = await pack(typeof text === 'string' ? Buffer.from(text) : text)
  const kept = await bodies.keep(needs.blobs, packed)
  const unused = await keepSnapshot(needs.store, {
    team_id: who.team,
    snapshot_key: keyOf({ url, redaction }, tag),
    url: pageUrl(url),
    ...kept,
    scraped_at: page.fetchedAt,
  }).catch(async (thrown: unknown) => {
    if (kept.blob !== null) await needs.blobs.delete(kept.blob)
    throw thrown
  })
  if (unused !== null) await needs.blobs.delete(unused)
}
