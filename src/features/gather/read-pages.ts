import type { TaskResult } from '../../content/captures.ts'
import { resultOf } from '../../jobs/queue.ts'
import type { Blobs } from '../../ports/blobs.ts'
import type { PageValues } from '../../reading/merge/merging.ts'
import { listLeaves } from '../../store/child-jobs.ts'
import { readError } from '../../store/job-errors.ts'
import { findJob } from '../../store/jobs.ts'
import type { Store } from '../../store/schema.ts'

export interface ReadingNeeds {
  store: Store
  blobs: Blobs
}

/** One page of a job and what became of it. */
export interface ReadPage {
  /** Of its job. */
  id: string
  /** Where it was asked for; of a page that an agent browsed, where that ended. */
  url: string
  title?: string
  /** What it says by the schema; absent where it says nothing of it. */
  values?: PageValues
  /** Its answer to a question. */
  answer?: string
  /** What was done on it before it was read, in the words of a language model. */
  done?: string
  warnings: string[]
  error?: string
}

/** A page whose values are longer is left out and named: it would hold up everything else. */
const mostBytes = 4 * 1024 * 1024
/** The same for all pages together, which are in memory at once. */
const mostBytesTogether = 64 * 1024 * 1024

/** What the pages of a job say, in the order in which they were asked for; one at a time, as each may be long. */
export async function readPages(
  needs: ReadingNeeds,
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
  needs: ReadingNeeds,
  { id, url, room }: { id: string; url: string; room: number },
): Promise<ReadPage & { size: number }> {
  const row = await findJob(needs.store.query, id)
  const text = row && (await resultOf(needs, row))
  if (!text) return { id, url, size: 0, warnings: [], error: 'What was read of it is not kept any more.' }
  if (text.size > room)
    return { id, url, size: 0, warnings: [], error: 'It says more than can be joined with others.' }
  // Written by the scrape of this page.
  const document = (await text.value()) as StoredDocument
  const { title, error, url: shownUrl } = document.metadata ?? {}
  const { task } = document
  const place = task === undefined ? url : (shownUrl ?? url)
  const values = { url: place, value: document.json, evidence: document.jsonEvidence ?? {} }
  return {
    ...{ id, url: place, size: text.size },
    ...(task === undefined ? {} : { done: wordsOfTask(task) }),
    ...(title === undefined ? {} : { title }),
    ...(document.json === undefined ? {} : { values }),
    ...(document.answer === undefined ? {} : { answer: document.answer }),
    warnings: modelWarnings(document.warning ?? ''),
    ...(error === undefined || document.json !== undefined ? {} : { error }),
  }
}

interface StoredDocument {
  json?: unknown
  jsonEvidence?: PageValues['evidence']
  answer?: string
  warning?: string
  task?: TaskResult
  metadata?: { title?: string; error?: string; url?: string }
}

function wordsOfTask({ steps, stopped }: TaskResult): string {
  return stopped === undefined ? steps : `${steps}\nIt was ended before it was done: ${stopped}.`
}

/** What one page lacks another may have, so only what is said of the model is passed on. */
function modelWarnings(warning: string): string[] {
  return warning
    .split(/(?=\b(?:json|question): )/)
    .map((part) => part.trim())
    .filter((part) => part.includes('language model'))
}
