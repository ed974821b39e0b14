import { AppError, isDamaged } from '../../base/errors.ts'
import type { JsonText } from '../../base/json-text.ts'
import { resultOf } from '../../jobs/queue.ts'
import type { Blobs } from '../../ports/blobs.ts'
import type { StoredPage } from '../../reading/merge/stored-page.ts'
import { listLeaves } from '../../store/child-jobs.ts'
import { readError } from '../../store/job-errors.ts'
import { findJob } from '../../store/jobs.ts'
import type { Store } from '../../store/schema.ts'
import type { GatherWork } from './gather-work.ts'

export interface ReadingNeeds {
  store: Store
  blobs: Blobs
}

interface StoredNeeds extends ReadingNeeds {
  work: Pick<GatherWork, 'storedPage'>
}

/** One page of a job and what became of it. */
export interface ReadPage extends StoredPage {
  /** Of its job. */
  id: string
}

/** A page whose values are longer is left out and named: it would hold up everything else. */
const mostBytes = 4 * 1024 * 1024
/** The same for all pages together, which are in memory at once. */
const mostBytesTogether = 64 * 1024 * 1024

/** What the pages of a job say, in the order in which they were asked for; one at a time, as each may be long. */
export async function readPages(
  needs: StoredNeeds,
  parentId: string,
  giveWay: () => Promise<void>,
): Promise<ReadPage[]> {
  const read: ReadPage[] = []
  let room = mostBytesTogether
  for (const { id, target, state, error } of await listLeaves(needs.store.query, parentId)) {
    if (state !== 'completed' && state !== 'failed') continue
    const url = target ?? ''
    if (state === 'failed')
      read.push({ id, url, warnings: [], error: readError(error)?.error ?? 'It failed.' })
    else {
      const { size, ...page } = await readOne(needs, { id, url, room: Math.min(room, mostBytes) })
      room -= size
      read.push(page)
    }
    await giveWay()
  }
  return read
}

async function readOne(
  needs: StoredNeeds,
  { id, url, room }: { id: string; url: string; room: number },
): Promise<ReadPage & { size: number }> {
  const row = await findJob(needs.store.query, id)
  const text = row && (await resultOf(needs, row).catch(damage))
  if (text instanceof AppError) return { id, url, size: 0, warnings: [], error: text.message }
  if (!text) return { id, url, size: 0, warnings: [], error: 'What was read of it is not kept any more.' }
  if (text.size > room)
    return { id, url, size: 0, warnings: [], error: 'It says more than can be joined with others.' }
  const page = await needs.work.storedPage(await bytesOf(text), url)
  return { ...page, id, size: text.size }
}

/** A page that is damaged is left out and named; the others are read. */
function damage(thrown: unknown): AppError {
  if (isDamaged(thrown)) return thrown
  throw thrown
}

async function bytesOf(text: JsonText): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  for await (const chunk of text.chunks()) chunks.push(chunk)
  return Buffer.concat(chunks)
}
