import { randomBytes } from 'node:crypto'
import { zstdCompressSync } from 'node:zlib'
import { type Expression, type ExpressionBuilder, type SqlBool, sql, type Updateable } from 'kysely'
import { z } from 'zod'
import { nextTurn } from '../../platform/time-slice.ts'
import { unpack, zstdOptions } from '../../store/stored-json.ts'
import type { DocumentTerms, PageIndex } from './page-index.ts'
import { postgresPageIndex } from './postgres-page-index.ts'
import { areNearlySame } from './same-page.ts'
import { sqlitePageIndex } from './sqlite-page-index.ts'
import type { DocumentTable, IndexTable, SearchQueryable, SearchStore, SearchTables } from './tables.ts'

export interface SearchIndex {
  store: SearchStore
  words: PageIndex
}

export function openIndex(store: SearchStore): SearchIndex {
  return { store, words: store.dialect === 'sqlite' ? sqlitePageIndex() : postgresPageIndex() }
}

const languageCodes = z.array(z.string())

export function languagesOf({ languages }: Pick<IndexTable, 'languages'>): string[] {
  return languageCodes.parse(JSON.parse(languages))
}

interface IndexOwner {
  teamId: string
  kind: IndexTable['kind']
}

const selectIndex = (query: SearchQueryable, { teamId, kind }: IndexOwner) =>
  query.selectFrom('search_indexes').selectAll().where('team_id', '=', teamId).where('kind', '=', kind)

export const findIndex = (query: SearchQueryable, owner: IndexOwner) =>
  selectIndex(query, owner).executeTakeFirst()

export const selectDocuments = (query: SearchQueryable, indexId: string) =>
  query.selectFrom('search_documents').where('index_id', '=', indexId)

export async function updateDocument(
  query: SearchQueryable,
  { indexId, number }: { indexId: string; number: number },
  changes: Updateable<DocumentTable>,
): Promise<void> {
  const rows = query.updateTable('search_documents').where('index_id', '=', indexId)
  await rows.where('number', '=', number).set(changes).execute()
}

/** A power failure may undo the changes. */
export function inIndexTransaction<Result>(
  store: SearchStore,
  work: (transaction: SearchQueryable) => Promise<Result>,
): Promise<Result> {
  return store.transaction(work, { durable: false })
}

export async function lockById(store: SearchStore, query: SearchQueryable, id: string): Promise<void> {
  await store.lock(query.selectFrom('search_indexes').select('id').where('id', '=', id)).execute()
}

export interface IndexedDocument {
  row: Omit<DocumentTable, 'index_id' | 'number' | 'length' | 'terms'>
  terms: DocumentTerms
  links: readonly string[]
}

/** A query is compared in each language of its index. */
const maxLanguages = 12

/** Replaces documents with the same key. Returns the number of changed documents. */
export function addDocuments(
  index: SearchIndex,
  owner: IndexOwner,
  documents: readonly IndexedDocument[],
): Promise<number> {
  const newest = new Map(documents.map((document) => [document.row.document_key, document]))
  return inIndexTransaction(index.store, async (transaction) => {
    const row = await lockIndex(index.store, transaction, owner)
    const changed = await removeChanged(index, transaction, { id: row.id, newest })
    if (changed.length > 0) await insertDocuments(index, transaction, row, changed)
    return changed.length
  })
}

async function lockIndex(store: SearchStore, query: SearchQueryable, owner: IndexOwner): Promise<IndexTable> {
  const rows = store.lock(selectIndex(query, owner))
  const existing = await rows.executeTakeFirst()
  if (existing) return existing
  // Shorter than other ids, because every row and every index entry contains it.
  const id = randomBytes(8).toString('hex')
  const counts = { next_number: 0, documents: 0, words: 0, searched_at: 0, languages: '[]' }
  const unused = { title_words: 0, headings_words: 0, body_words: 0 }
  const values = { id, team_id: owner.teamId, kind: owner.kind, ...counts, ...unused }
  const insert = query.insertInto('search_indexes').values(values)
  await insert.onConflict((conflict) => conflict.columns(['team_id', 'kind']).doNothing()).execute()
  return rows.executeTakeFirstOrThrow()
}

/** Returns the new documents. Unchanged documents get the new times. */
async function removeChanged(
  index: SearchIndex,
  query: SearchQueryable,
  { id, newest }: { id: string; newest: ReadonlyMap<string, IndexedDocument> },
): Promise<IndexedDocument[]> {
  const rows = await selectDocuments(query, id)
    .select(['number', 'document_key', 'hash', 'title', 'fingerprint', 'vector'])
    .where('document_key', 'in', [...newest.keys()])
    .execute()
  const storedByKey = new Map(rows.map((row) => [row.document_key, row]))
  const changed: IndexedDocument[] = []
  const replaced: number[] = []
  for (const [key, document] of newest) {
    const { hash, fetched_at, expires_at } = document.row
    const stored = storedByKey.get(key)
    if (stored?.hash === hash)
      await updateDocument(query, { indexId: id, number: stored.number }, { fetched_at, expires_at })
    else {
      changed.push(stored ? withVectorOf(stored, document) : document)
      if (stored) replaced.push(stored.number)
    }
  }
  if (replaced.length > 0) await removeDocuments(index, query, id, (row) => row('number', 'in', replaced))
  return changed
}

/** If few words have changed, the meaning of a page has not. */
function withVectorOf(
  { title, fingerprint, vector }: Pick<DocumentTable, 'title' | 'fingerprint' | 'vector'>,
  document: IndexedDocument,
): IndexedDocument {
  const { row } = document
  if (vector === null || row.vector_due === null || title !== row.title) return document
  if (!areNearlySame(fingerprint, row.fingerprint)) return document
  return { ...document, row: { ...row, vector, vector_due: null } }
}

export function lengthOf({ title, headings, address, body }: DocumentTerms): number {
  return title.length + headings.length + address.length + body.length
}

/** SQLite and PostgreSQL limit the parameters of a statement. */
const rowsPerStatement = 100

async function insertDocuments(
  { words }: SearchIndex,
  query: SearchQueryable,
  { id, next_number, languages }: IndexTable,
  documents: IndexedDocument[],
): Promise<void> {
  const numbered = documents.map((document, position) => ({ ...document, number: next_number + position }))
  const rows = numbered.map(({ row, terms, number }) => ({
    ...{ ...row, index_id: id, number },
    ...{ length: lengthOf(terms), terms: words.toColumn(id, terms) },
  }))
  const insert = query.insertInto('search_documents')
  for (let at = 0; at < rows.length; at += rowsPerStatement)
    await insert.values(rows.slice(at, at + rowsPerStatement)).execute()
  await words.add(query, id, numbered)
  const used = [...languagesOf({ languages }), ...rows.flatMap(({ language }) => language ?? [])]
  await query
    .updateTable('search_indexes')
    .set((row) => ({
      next_number: next_number + rows.length,
      documents: row('documents', '+', rows.length),
      words: row('words', '+', sumOfLengths(rows)),
      languages: JSON.stringify([...new Set(used)].slice(0, maxLanguages)),
    }))
    .where('id', '=', id)
    .execute()
  await countLinks(query, id, documents)
}

const sumOfLengths = (rows: readonly { length: number }[]) =>
  rows.reduce((total, { length }) => total + length, 0)

/** Links that a page no longer has are not subtracted. */
async function countLinks(query: SearchQueryable, index_id: string, documents: IndexedDocument[]) {
  const links = documents.flatMap(({ row, links }) =>
    [...new Set(links)].filter((key) => key !== row.page_key),
  )
  const rows = sortByKey(Map.groupBy(links, (key) => key)).map(([page_key, { length: inbound }]) => ({
    ...{ index_id, page_key, inbound },
  }))
  for (let at = 0; at < rows.length; at += rowsPerStatement)
    await query
      .insertInto('search_inbound')
      .values(rows.slice(at, at + rowsPerStatement))
      .onConflict((conflict) =>
        conflict.columns(['index_id', 'page_key']).doUpdateSet((row) => ({
          inbound: sql<number>`${row.ref('search_inbound.inbound')} + ${row.ref('excluded.inbound')}`,
        })),
      )
      .execute()
}

/** All processes write and lock rows in this order, which prevents deadlocks. */
const sortByKey = <Value>(entries: ReadonlyMap<string, Value>) =>
  [...entries].sort(([one], [other]) => (one < other ? -1 : 1))

const expiredPerTransaction = 500

export function removeExpired({ store, words }: SearchIndex, now: number): Promise<number> {
  return inIndexTransaction(store, async (transaction) => {
    const expired = await transaction
      .selectFrom('search_documents')
      .select(['index_id', 'number'])
      .where('expires_at', '<=', now)
      .limit(expiredPerTransaction)
      .execute()
    for (const [id, rows] of sortByKey(Map.groupBy(expired, ({ index_id }) => index_id))) {
      await lockById(store, transaction, id)
      await removeDocuments({ words }, transaction, id, (row) => row('number', 'in', numbersOf(rows)))
    }
    return expired.length
  })
}

export const numbersOf = (rows: readonly { number: number }[]) => rows.map(({ number }) => number)

/** The keys of the images on a page begin with the key of the page. */
export function removePages({ store, words }: SearchIndex, teamId: string, keys: string[]): Promise<void> {
  return inIndexTransaction(store, async (transaction) => {
    const indexes = transaction.selectFrom('search_indexes').select('id').where('team_id', '=', teamId)
    for (const { id } of await indexes.orderBy('id').execute()) {
      await lockById(store, transaction, id)
      await removeDocuments({ words }, transaction, id, (row) =>
        row.or([
          row('document_key', 'in', keys),
          ...keys.map((key) =>
            row.and([row('document_key', '>', `${key} `), row('document_key', '<', `${key}!`)]),
          ),
        ]),
      )
    }
  })
}

/** The transaction must have locked the index. */
async function removeDocuments(
  { words }: Pick<SearchIndex, 'words'>,
  query: SearchQueryable,
  id: string,
  condition: (row: ExpressionBuilder<SearchTables, 'search_documents'>) => Expression<SqlBool>,
): Promise<void> {
  const rows = await query
    .deleteFrom('search_documents')
    .where('index_id', '=', id)
    .where(condition)
    .returning(['number', 'length', (row) => row('terms', 'is not', null).as('isIndexed')])
    .execute()
  if (rows.length === 0) return
  await words.remove(query, id, numbersOf(rows.filter(({ isIndexed }) => isIndexed)))
  await query
    .updateTable('search_indexes')
    .set((row) => ({
      documents: row('documents', '-', rows.length),
      words: row('words', '-', sumOfLengths(rows)),
    }))
    .where('id', '=', id)
    .execute()
}

/** No page of the team may still be pending. */
export async function removeTeam({ store, words }: SearchIndex, teamId: string): Promise<void> {
  const indexes = store.query.selectFrom('search_indexes').select('id').where('team_id', '=', teamId)
  for (const { id } of await indexes.execute()) {
    for (const part of teamTables) while (await deleteBatch(store.query, id, part)) await nextTurn()
    await store.transaction(async (transaction) => {
      await lockById(store, transaction, id)
      // Another process may have added documents until now. Because of the lock, it then creates a new index.
      for (const part of teamTables) while (await deleteBatch(transaction, id, part));
      await words.removeIndex(transaction, id)
      await transaction.deleteFrom('search_indexes').where('id', '=', id).execute()
    })
  }
}

const teamTables = [
  ['search_documents', 'number'],
  ['search_inbound', 'page_key'],
] as const

async function deleteBatch(
  query: SearchQueryable,
  id: string,
  [table, keyColumn]: (typeof teamTables)[number],
) {
  const [from, key] = [sql.table(table), sql.ref(keyColumn)]
  const { numAffectedRows = 0n } = await sql`delete from ${from} where index_id = ${id} and ${key} in
    (select ${key} from ${from} where index_id = ${id} limit 500)`.execute(query)
  return numAffectedRows > 0n
}

export type DocumentSummary = Pick<DocumentTable, (typeof summaryColumns)[number]> & { inbound: number }

const summaryColumns = [
  ...(['index_id', 'number', 'document_key', 'page_key', 'url', 'type', 'title', 'language'] as const),
  ...(['published_at', 'fingerprint', 'image_url', 'image_width', 'image_height', 'vector'] as const),
]

export async function readDocuments(
  query: SearchQueryable,
  indexId: string,
  numbers: readonly number[],
): Promise<DocumentSummary[]> {
  if (numbers.length === 0) return []
  const rows = await query
    .selectFrom('search_documents as document')
    .leftJoin('search_inbound as links', (join) =>
      join
        .onRef('links.index_id', '=', 'document.index_id')
        .onRef('links.page_key', '=', 'document.page_key'),
    )
    .select(summaryColumns.map((name) => `document.${name}` as const))
    .select((row) => row.fn.coalesce('links.inbound', row.lit(0)).as('inbound'))
    .where('document.index_id', '=', indexId)
    .where('document.number', 'in', [...numbers])
    .execute()
  const byNumber = new Map(rows.map((row) => [row.number, row]))
  return numbers.flatMap((number) => byNumber.get(number) ?? [])
}

/** Compressing a shorter text takes longer than writing it, and saves nothing. */
const minCompressedBytes = 400
const maxBodyBytes = 4 * 1024 * 1024
/** First bytes of compressed data, which UTF-8 text cannot contain. */
const magicNumber = Buffer.from([0x28, 0xb5, 0x2f, 0xfd])

/** Compresses synchronously, because the index thread has no other work meanwhile. */
export function packBody(text: string): Uint8Array {
  const bytes = Buffer.from(text)
  return bytes.length < minCompressedBytes ? bytes : zstdCompressSync(bytes, zstdOptions)
}

export async function readBody(body: Uint8Array): Promise<string> {
  const isCompressed = magicNumber.equals(body.subarray(0, magicNumber.length))
  return Buffer.from(isCompressed ? await unpack(body, maxBodyBytes) : body).toString()
}
