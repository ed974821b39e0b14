import { sql } from 'kysely'
import { maxReadLength } from '../sentence-model/open-model.ts'
import { changeIndex, documentsIn, readBody, updateDocument } from './documents.ts'
import type { DocumentTable, SearchQueryable, SearchStore } from './tables.ts'

/** A document whose vector is to be made. */
export interface VectorTask {
  indexId: string
  number: number
  /** Title and beginning of the text; empty if it cannot be read. */
  text: string
}

export interface VectorClaim {
  now: number
  /** Vectors are made for teams that have searched since then. */
  searchedSince: number
  /** Index of the claim before. Indexes take turns. */
  afterIndex: string
}

/** Few at a time, so that new pages are indexed soon. */
const documentsPerClaim = 4
const claimMs = 120_000
/** Value of `vector_due` for a document that a search has found, before those of value 0. */
const urgent = -1

type Claimed = Pick<DocumentTable, 'index_id' | 'number' | 'title' | 'fingerprint' | 'body'>

/**
 * Claims some documents for a while, because several processes look for them. A copy of another document gets its vector
 * immediately. The result has no index if no document waits.
 */
export async function claimVectors(
  store: SearchStore,
  wanted: VectorClaim,
): Promise<{ tasks: VectorTask[]; indexId: string | undefined }> {
  const rows = await claim(store, wanted)
  const tasks: VectorTask[] = []
  for (const row of rows) {
    const { index_id: indexId, number, title } = row
    const vector = await vectorOfTwin(store.query, row)
    if (vector) await updateDocument(store.query, { indexId, number }, { vector, vector_due: null })
    // The vector of its twin is about to be made.
    else if (rows.some((other) => other.number > number && areTwins(other, row)))
      await updateDocument(store.query, { indexId, number }, { vector_due: 0 })
    else {
      const body = await readBody(row.body).catch(() => undefined)
      const text = body === undefined ? '' : `${title}. ${body}`.slice(0, maxReadLength)
      tasks.push({ indexId, number, text })
    }
  }
  return { tasks, indexId: rows[0]?.index_id }
}

function claim(store: SearchStore, wanted: VectorClaim): Promise<Claimed[]> {
  const { now } = wanted
  return changeIndex({ store }, async (transaction) => {
    const id =
      (await nextIndex(transaction, wanted)) ?? (await nextIndex(transaction, { ...wanted, afterIndex: '' }))
    const due =
      id === undefined
        ? // Without new documents, those that another process has claimed and not finished.
          transaction
            .selectFrom('search_documents')
            .where('vector_due', '>', 0)
            .where('vector_due', '<=', now)
        : waitingIn(transaction, id)
    const newestFirst = due
      .select(['index_id', 'number', 'title', 'fingerprint', 'body'])
      .orderBy('vector_due')
      .orderBy('number', 'desc')
      .limit(documentsPerClaim)
    const rows = await store.skipLocked(newestFirst).execute()
    for (const { index_id: indexId, number } of rows)
      await updateDocument(transaction, { indexId, number }, { vector_due: now + claimMs })
    return rows
  })
}

/** Documents that wait for their vectors and are not claimed. */
const waitingIn = (query: SearchQueryable, indexId: string) =>
  documentsIn(query, indexId).where('vector_due', 'in', [urgent, 0])

async function nextIndex(
  query: SearchQueryable,
  { searchedSince, afterIndex }: VectorClaim,
): Promise<string | undefined> {
  const waiting = query
    .selectFrom('search_documents')
    .select('number')
    .where('vector_due', 'in', [urgent, 0])
    .where('index_id', '=', sql.ref<string>('search_indexes.id'))
  const next = await query
    .selectFrom('search_indexes')
    .select('id')
    .where('searched_at', '>=', searchedSince)
    .where('id', '>', afterIndex)
    .where((row) => row.exists(waiting))
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
  return next?.id
}

function areTwins(one: Claimed, other: Claimed): boolean {
  return one.fingerprint !== '' && one.fingerprint === other.fingerprint && one.title === other.title
}

/** A copy of a page at another URL has the same vector. */
async function vectorOfTwin(
  query: SearchQueryable,
  { index_id, title, fingerprint }: Claimed,
): Promise<Uint8Array | undefined> {
  if (fingerprint === '') return undefined
  const twin = await documentsIn(query, index_id)
    .select('vector')
    .where('fingerprint', '=', fingerprint)
    .where('title', '=', title)
    .where('vector', 'is not', null)
    .limit(1)
    .executeTakeFirst()
  return twin?.vector ?? undefined
}

export interface VectorBatch {
  /** An empty vector is that of a text which the model cannot read. It is not tried again. */
  made: (Omit<VectorTask, 'text'> & { vector: Uint8Array })[]
  /** Documents that are claimed again. */
  unmade: Omit<VectorTask, 'text'>[]
}

export async function saveVectors(query: SearchQueryable, { made, unmade }: VectorBatch): Promise<void> {
  for (const task of made) await updateDocument(query, task, { vector: task.vector, vector_due: null })
  for (const task of unmade) await updateDocument(query, task, { vector_due: 0 })
}

const maxCounted = 10_000

/** Number of documents of an index that wait for their vectors, up to a maximum. */
export async function countWithoutVector(query: SearchQueryable, indexId: string): Promise<number> {
  const waiting = waitingIn(query, indexId).select('number').limit(maxCounted)
  const { count } = await query
    .selectFrom(waiting.as('waiting'))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const maxUrgent = 200
const hourMs = 3600_000

/** Notes that a team has searched. Vectors of the documents that it found are made before others. */
export async function recordSearch(
  { query }: SearchStore,
  { indexId, ranked }: { indexId: string; ranked: readonly number[] },
  now: number,
): Promise<void> {
  // Several searches of an hour write the row once.
  await query
    .updateTable('search_indexes')
    .set({ searched_at: now })
    .where('id', '=', indexId)
    .where('searched_at', '<', now - hourMs)
    .execute()
  if (ranked.length === 0) return
  await query
    .updateTable('search_documents')
    .set({ vector_due: urgent })
    .where('index_id', '=', indexId)
    .where('number', 'in', ranked.slice(0, maxUrgent))
    .where('vector_due', '=', 0)
    .execute()
}
