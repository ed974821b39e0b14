import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import { z } from 'zod'
import { readBody } from './body.ts'
import type { PageIndex } from './page-index.ts'
import { postgresPageIndex } from './postgres-page-index.ts'
import { sqlitePageIndex } from './sqlite-page-index.ts'
import type {
  DocumentTable,
  IndexKind,
  IndexTable,
  SearchQueryable,
  SearchStore,
  SearchTables,
} from './tables.ts'

/** The tables of documents together with the full-text index of their words. */
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

/** The index of a team; undefined before its first document. */
export function findIndex(
  query: SearchQueryable,
  { teamId, kind }: { teamId: string; kind: IndexKind },
): Promise<IndexTable | undefined> {
  return query
    .selectFrom('search_indexes')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('kind', '=', kind)
    .executeTakeFirst()
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

/** Removes expired documents, some at a time. Returns how many there were. */
export function removeExpired(index: SearchIndex, now: number, limit = 500): Promise<number> {
  const { store } = index
  return store.transaction(
    async (transaction) => {
      const expired = await transaction
        .selectFrom('search_documents')
        .select(['index_id', 'number'])
        .where('expires_at', '<=', now)
        .limit(limit)
        .execute()
      const byIndex = Map.groupBy(expired, ({ index_id }) => index_id)
      // All processes lock in the same order, so that they cannot wait for each other.
      for (const id of [...byIndex.keys()].sort()) {
        await lockById(store, transaction, id)
        const numbers = (byIndex.get(id) ?? []).map(({ number }) => number)
        await removeNumbers(index, transaction, id, numbers)
      }
      return expired.length
    },
    { durable: false },
  )
}

/** Removes pages of a team by their keys, with the images on them. */
export function removePages(index: SearchIndex, teamId: string, keys: readonly string[]): Promise<void> {
  const { store } = index
  return store.transaction(
    async (transaction) => {
      const indexes = await transaction
        .selectFrom('search_indexes')
        .select('id')
        .where('team_id', '=', teamId)
        .orderBy('id')
        .execute()
      for (const { id } of indexes) {
        await lockById(store, transaction, id)
        const rows = await transaction
          .selectFrom('search_documents')
          .select('number')
          .where('index_id', '=', id)
          .where((row) => row.or(keys.map((key) => ofPage(row, key))))
          .execute()
        const numbers = rows.map(({ number }) => number)
        await removeNumbers(index, transaction, id, numbers)
      }
    },
    { durable: false },
  )
}

/** A page itself and its images, whose keys begin with that of the page. */
function ofPage(row: ExpressionBuilder<SearchTables, 'search_documents'>, key: string): Expression<SqlBool> {
  const images = row.and([row('document_key', '>', `${key} `), row('document_key', '<', `${key}!`)])
  return row.or([row('document_key', '=', key), images])
}

export async function lockById(store: SearchStore, query: SearchQueryable, id: string): Promise<void> {
  await store.lock(query.selectFrom('search_indexes').select('id').where('id', '=', id)).execute()
}

/** Removes documents of an index that the transaction has locked. */
export async function removeNumbers(
  { words }: SearchIndex,
  query: SearchQueryable,
  id: string,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return
  const rows = await query
    .deleteFrom('search_documents')
    .where('index_id', '=', id)
    .where('number', 'in', numbers)
    .returning(['number', 'length', (row) => row('terms', 'is not', null).as('isIndexed')])
    .execute()
  await words.remove(
    query,
    id,
    rows.flatMap(({ number, isIndexed }) => (isIndexed ? number : [])),
  )
  await query
    .updateTable('search_indexes')
    .set((row) => ({
      documents: row('documents', '-', rows.length),
      words: row('words', '-', sum(rows.map(({ length }) => length))),
    }))
    .where('id', '=', id)
    .execute()
}

/** Removes everything that a team could find. None of its pages may still wait to be indexed. */
export async function removeTeam({ store, words }: SearchIndex, teamId: string): Promise<void> {
  const { query } = store
  const indexes = await query
    .selectFrom('search_indexes')
    .select('id')
    .where('team_id', '=', teamId)
    .execute()
  for (const { id } of indexes) {
    for (const part of teamTables) while (await removeSome(query, id, part)) await nextTurn()
    await store.transaction(async (transaction) => {
      await lockById(store, transaction, id)
      // Another process may have added documents until now. With the lock, it creates a new index for further ones.
      for (const part of teamTables) while (await removeSome(transaction, id, part));
      await words.removeIndex(transaction, id)
      await transaction.deleteFrom('search_indexes').where('id', '=', id).execute()
    })
  }
}

const teamTables = [
  { table: 'search_documents', by: 'number' },
  { table: 'search_inbound', by: 'page_key' },
] as const

async function removeSome(query: SearchQueryable, id: string, { table, by }: (typeof teamTables)[number]) {
  const [from, key] = [sql.table(table), sql.ref(by)]
  const { numAffectedRows = 0n } = await sql`delete from ${from} where index_id = ${id} and ${key} in
    (select ${key} from ${from} where index_id = ${id} limit 500)`.execute(query)
  return numAffectedRows > 0n
}

/** A document without its text, with the number of pages that link to it. */
export type FoundRow = Pick<DocumentTable, (typeof foundColumns)[number]> & { inbound: number }

const foundColumns = [
  ...(['index_id', 'number', 'document_key', 'page_key', 'url', 'type', 'title', 'language'] as const),
  ...(['published_at', 'fingerprint', 'image_url', 'image_width', 'image_height', 'vector'] as const),
]

/** Rows of documents by their numbers. */
export async function readDocuments(
  query: SearchQueryable,
  indexId: string,
  numbers: readonly number[],
): Promise<Map<number, FoundRow>> {
  if (numbers.length === 0) return new Map()
  const rows = await query
    .selectFrom('search_documents as document')
    .leftJoin('search_inbound as links', (join) =>
      join
        .onRef('links.index_id', '=', 'document.index_id')
        .onRef('links.page_key', '=', 'document.page_key'),
    )
    .select(foundColumns.map((name) => `document.${name}` as const))
    .select((row) => row.fn.coalesce('links.inbound', row.lit(0)).as('inbound'))
    .where('document.index_id', '=', indexId)
    .where('document.number', 'in', [...numbers])
    .execute()
  return new Map(rows.map((row) => [row.number, row]))
}

/** The text of a document; undefined if it has been removed meanwhile. */
export async function readText(
  query: SearchQueryable,
  { index_id, number }: Pick<DocumentTable, 'index_id' | 'number'>,
): Promise<string | undefined> {
  const row = await query
    .selectFrom('search_documents')
    .select('body')
    .where('index_id', '=', index_id)
    .where('number', '=', number)
    .executeTakeFirst()
  return row && readBody(row.body)
}
