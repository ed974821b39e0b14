import { sql } from 'kysely'
import { maxReadLength } from '../sentence-model/open-model.ts'
import { inIndexTransaction, readBody, selectDocuments, updateDocument } from './documents.ts'
import type { DocumentTable, SearchQueryable, SearchStore } from './tables.ts'

export interface VectorTask {
  indexId: string
  number: number
  /** Title and beginning of the text; empty if it cannot be read. */
  text: string
}

export interface VectorClaim {
  now: number
  /** Vectors are computed for teams that have searched since this time. */
  searchedSince: number
  /** Index of the previous claim. Indexes are served round-robin. */
  afterIndex: string
}

const documentsPerClaim = 4
const claimMs = 120_000
/** Value of `vector_due` for a document that a search has found. */
const urgent = -1

type ClaimedRow = Pick<DocumentTable, 'index_id' | 'number' | 'title' | 'fingerprint' | 'body'>

/** A copy of another document gets its vector immediately. */
export async function claimVectors(store: SearchStore, options: VectorClaim) {
  const rows = await claimRows(store, options)
  const tasks: VectorTask[] = []
  for (const row of rows) {
    const { index_id: indexId, number, title } = row
    const vector = await findTwinVector(store.query, row)
    if (vector) await updateDocument(store.query, { indexId, number }, { vector, vector_due: null })
    // Its twin in this batch gets a vector first, which a later claim copies.
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

function claimRows(store: SearchStore, options: VectorClaim): Promise<ClaimedRow[]> {
  const { now } = options
  return inIndexTransaction(store, async (transaction) => {
    const id =
      (await findNextIndex(transaction, options)) ??
      (await findNextIndex(transaction, { ...options, afterIndex: '' }))
    const documents = transaction.selectFrom('search_documents')
    const due =
      id === undefined
        ? // Without new documents, claim those that another process has claimed and not finished.
          documents.where('vector_due', '>', 0).where('vector_due', '<=', now)
        : pendingDocuments(transaction).where('index_id', '=', id)
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

const pendingDocuments = (query: SearchQueryable) =>
  query.selectFrom('search_documents').where('vector_due', 'in', [urgent, 0])

async function findNextIndex(query: SearchQueryable, { searchedSince, afterIndex }: VectorClaim) {
  const pending = pendingDocuments(query)
    .select('number')
    .where('index_id', '=', sql.ref<string>('search_indexes.id'))
  const next = query
    .selectFrom('search_indexes')
    .select('id')
    .where('searched_at', '>=', searchedSince)
    .where('id', '>', afterIndex)
    .where((row) => row.exists(pending))
  return (await next.orderBy('id').limit(1).executeTakeFirst())?.id
}

function areTwins(one: ClaimedRow, other: ClaimedRow): boolean {
  return one.fingerprint !== '' && one.fingerprint === other.fingerprint && one.title === other.title
}

async function findTwinVector(query: SearchQueryable, { index_id, title, fingerprint }: ClaimedRow) {
  if (fingerprint === '') return undefined
  const rows = selectDocuments(query, index_id).select('vector').where('fingerprint', '=', fingerprint)
  const twins = rows.where('title', '=', title).where('vector', 'is not', null)
  return (await twins.limit(1).executeTakeFirst())?.vector
}

export interface VectorBatch {
  /** An empty vector means that the model cannot read the text, so it is not tried again. */
  computed: (Omit<VectorTask, 'text'> & { vector: Uint8Array })[]
  released: Omit<VectorTask, 'text'>[]
}

export async function saveVectors(query: SearchQueryable, { computed, released }: VectorBatch) {
  for (const task of computed) await updateDocument(query, task, { vector: task.vector, vector_due: null })
  for (const task of released) await updateDocument(query, task, { vector_due: 0 })
}

const maxCounted = 10_000

export async function countWithoutVector(query: SearchQueryable, indexId: string): Promise<number> {
  const pending = pendingDocuments(query).where('index_id', '=', indexId).select('number').limit(maxCounted)
  const { count } = await query
    .selectFrom(pending.as('waiting'))
    .select((row) => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

const maxUrgent = 200
const hourMs = 3600_000

/** Vectors of the documents that a team has found are computed before others. */
export async function recordSearch(
  { query }: SearchStore,
  { indexId, ranked }: { indexId: string; ranked: readonly number[] },
  now: number,
): Promise<void> {
  const searched = query.updateTable('search_indexes').set({ searched_at: now }).where('id', '=', indexId)
  // Several searches within an hour write the row once.
  await searched.where('searched_at', '<', now - hourMs).execute()
  if (ranked.length === 0) return
  const found = query
    .updateTable('search_documents')
    .set({ vector_due: urgent })
    .where('index_id', '=', indexId)
  await found.where('number', 'in', ranked.slice(0, maxUrgent)).where('vector_due', '=', 0).execute()
}
