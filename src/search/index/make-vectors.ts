import type { SentenceModel } from '../sentence-model/open-model.ts'
import { readBody } from './body.ts'
import type { DocumentTable, SearchQueryable, SearchStore } from './tables.ts'

export interface VectorsWanted {
  now: number
  /** The index that had its turn before: the turn goes on with the one after it. */
  afterIndex: string
  /** Called after each document with the time that it took; resolves to false where other work waits. */
  pause(workedMs: number): Promise<boolean>
}

/** So few are taken at a time that pages which came meanwhile are indexed soon. */
const together = 4
const claimMs = 120_000

/** Makes the vectors of some documents that wait for one. Resolves to the id of their index; undefined if none waits. */
export async function makeVectors(
  store: SearchStore,
  model: SentenceModel,
  { now, afterIndex, pause }: VectorsWanted,
): Promise<string | undefined> {
  const rows = await claim(store, now, afterIndex)
  const left = [...rows]
  for (const row of rows) {
    const started = performance.now()
    const vector = (await vectorOfTwin(store.query, row)) ?? (await embed(model, row))
    await save(store.query, row, { vector, vector_due: null })
    left.shift()
    if (!(await pause(performance.now() - started))) break
  }
  for (const row of left) await save(store.query, row, { vector_due: 0 })
  return rows.at(-1)?.index_id
}

/** Whether any document waits for a vector: only then a model is worth loading. */
export async function areVectorsDue({ query }: SearchStore, now: number): Promise<boolean> {
  const due = await query
    .selectFrom('search_documents')
    .select('number')
    .where('vector_due', '<=', now)
    .limit(1)
    .executeTakeFirst()
  return due !== undefined
}

type Claimed = Pick<DocumentTable, 'index_id' | 'number' | 'title' | 'fingerprint' | 'body'>

/** Takes documents of one index for a while, as several processes may look for them. Indexes take turns. */
function claim(store: SearchStore, now: number, afterIndex: string): Promise<Claimed[]> {
  return store.transaction(
    async (transaction) => {
      const index = (await nextIndex(transaction, afterIndex)) ?? (await nextIndex(transaction, ''))
      const documents = transaction
        .selectFrom('search_documents')
        .select(['index_id', 'number', 'title', 'fingerprint', 'body'])
      // Without new documents, those that another process has taken and not finished.
      const due =
        index === undefined
          ? documents.where('vector_due', '<=', now).orderBy('vector_due').orderBy('index_id')
          : documents.where('vector_due', '=', 0).where('index_id', '=', index)
      // In one order on every store, as a copy of a page takes the vector of the one before it.
      const rows = await store.skipLocked(due.orderBy('number').limit(together)).execute()
      for (const row of rows) await save(transaction, row, { vector_due: now + claimMs })
      return rows
    },
    { durable: false },
  )
}

async function nextIndex(query: SearchQueryable, after: string): Promise<string | undefined> {
  const next = await query
    .selectFrom('search_documents')
    .select('index_id')
    .where('vector_due', '=', 0)
    .where('index_id', '>', after)
    .orderBy('index_id')
    .limit(1)
    .executeTakeFirst()
  return next?.index_id
}

/** A copy of a page under another address has its vector. */
async function vectorOfTwin(
  query: SearchQueryable,
  { index_id, title, fingerprint }: Claimed,
): Promise<Uint8Array | undefined> {
  if (fingerprint === '') return undefined
  const twin = await query
    .selectFrom('search_documents')
    .select('vector')
    .where('index_id', '=', index_id)
    .where('fingerprint', '=', fingerprint)
    // Tells the planner that the index, which leaves out empty ones, has them all.
    .where('fingerprint', '<>', '')
    .where('title', '=', title)
    .where('vector', 'is not', null)
    .orderBy('number')
    .limit(1)
    .executeTakeFirst()
  return twin?.vector ?? undefined
}

/** What cannot be read gets an empty vector, so that it is not tried again. */
async function embed(model: SentenceModel, { title, body }: Claimed): Promise<Uint8Array> {
  let text: string
  try {
    text = await readBody(body)
  } catch {
    return new Uint8Array()
  }
  // A copy of the bytes: the buffer of a vector may have more than the vector.
  return new Uint8Array(Int8Array.from(await model.embed(`${title}. ${text}`)).buffer)
}

async function save(
  query: SearchQueryable,
  { index_id, number }: Claimed,
  changes: Partial<Pick<DocumentTable, 'vector' | 'vector_due'>>,
): Promise<void> {
  await query
    .updateTable('search_documents')
    .set(changes)
    .where('index_id', '=', index_id)
    .where('number', '=', number)
    .execute()
}
