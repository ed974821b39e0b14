import { sql } from 'kysely'
import { newId } from '../../base/ids.ts'
import { languagesOf, removeNumbers, type SearchIndex } from './documents.ts'
import { areNearlySame } from './fingerprint.ts'
import type { DocumentTerms } from './page-index.ts'
import type { DocumentTable, IndexKind, IndexTable, SearchQueryable, SearchStore } from './tables.ts'

type NewRow = Omit<DocumentTable, 'index_id' | 'number' | 'length' | 'terms'>

/** A document with its terms. */
export interface IndexedDocument {
  row: NewRow
  terms: DocumentTerms
  /** Keys of the pages that it links to. */
  links: readonly string[]
}

/** Languages of an index that are remembered. A query is compared in each of them. */
const maxLanguages = 12

/** Adds documents, and replaces those with the same key. Unchanged ones stay. Returns how many have changed. */
export function addDocuments(
  { store, words }: SearchIndex,
  of: { teamId: string; kind: IndexKind },
  documents: readonly IndexedDocument[],
): Promise<number> {
  // The last of several with one key is the newest.
  const newest = [...new Map(documents.map((document) => [document.row.document_key, document])).values()]
  return store.transaction(
    async (transaction) => {
      const index = await lockIndex(store, transaction, of)
      const changed = await removeChanged({ store, words }, transaction, index, newest)
      if (changed.length > 0) await insert({ store, words }, transaction, index, changed)
      return changed.length
    },
    { durable: false },
  )
}

/** Creates the index of a team if there is none, and locks it until the transaction ends. */
async function lockIndex(
  store: SearchStore,
  query: SearchQueryable,
  { teamId, kind }: { teamId: string; kind: IndexKind },
): Promise<IndexTable> {
  const rows = query
    .selectFrom('search_indexes')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('kind', '=', kind)
  const known = await store.lock(rows).executeTakeFirst()
  if (known) return known
  const counts = { next_number: 0, documents: 0, words: 0, searched_at: 0, languages: '[]' }
  const unused = { title_words: 0, headings_words: 0, body_words: 0 }
  await query
    .insertInto('search_indexes')
    .values({ id: newId(), team_id: teamId, kind, ...counts, ...unused })
    .onConflict((conflict) => conflict.columns(['team_id', 'kind']).doNothing())
    .execute()
  return store.lock(rows).executeTakeFirstOrThrow()
}

/** Removes documents that are about to be replaced. Returns the new ones; of unchanged ones, only the times are updated. */
async function removeChanged(
  index: SearchIndex,
  query: SearchQueryable,
  { id }: IndexTable,
  documents: IndexedDocument[],
): Promise<IndexedDocument[]> {
  const rows = await query
    .selectFrom('search_documents')
    .select(['number', 'document_key', 'hash', 'title', 'fingerprint', 'vector'])
    .where('index_id', '=', id)
    .where(
      'document_key',
      'in',
      documents.map(({ row }) => row.document_key),
    )
    .execute()
  const known = new Map(rows.map((row) => [row.document_key, row]))
  const changed: IndexedDocument[] = []
  const replaced: number[] = []
  for (const document of documents) {
    const { document_key, hash, fetched_at, expires_at } = document.row
    const before = known.get(document_key)
    if (before?.hash === hash)
      await query
        .updateTable('search_documents')
        .set({ fetched_at, expires_at })
        .where('index_id', '=', id)
        .where('number', '=', before.number)
        .execute()
    else {
      changed.push(before ? withVectorOf(before, document) : document)
      if (before) replaced.push(before.number)
    }
  }
  await removeNumbers(index, query, id, replaced)
  return changed
}

/** A few changed words do not change the meaning of a page. */
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

async function insert(
  { words }: SearchIndex,
  query: SearchQueryable,
  index: IndexTable,
  documents: IndexedDocument[],
): Promise<void> {
  const numbered = documents.map((document, place) => ({ ...document, number: index.next_number + place }))
  const rows = numbered.map(({ row, number, terms }) => ({
    ...row,
    ...{ index_id: index.id, number, length: lengthOf(terms), terms: words.toColumn(index.id, terms) },
  }))
  for (const some of chunks(rows)) await query.insertInto('search_documents').values(some).execute()
  await words.add(query, index.id, numbered)
  await query
    .updateTable('search_indexes')
    .set((row) => ({
      next_number: index.next_number + documents.length,
      documents: row('documents', '+', documents.length),
      words: row('words', '+', sum(documents.map(({ terms }) => lengthOf(terms)))),
      languages: withLanguages(index, documents),
    }))
    .where('id', '=', index.id)
    .execute()
  const links = countLinks(documents).map(([page_key, inbound]) => ({
    index_id: index.id,
    page_key,
    inbound,
  }))
  for (const some of chunks(links))
    await query
      .insertInto('search_inbound')
      .values(some)
      .onConflict((conflict) =>
        conflict.columns(['index_id', 'page_key']).doUpdateSet((row) => ({
          inbound: sql<number>`${row.ref('search_inbound.inbound')} + ${row.ref('excluded.inbound')}`,
        })),
      )
      .execute()
}

const sum = (numbers: number[]) => numbers.reduce((total, one) => total + one, 0)

function withLanguages(index: IndexTable, documents: IndexedDocument[]): string {
  const used = documents.flatMap(({ row }) => row.language ?? [])
  return JSON.stringify([...new Set([...languagesOf(index), ...used])].slice(0, maxLanguages))
}

/** Links count if their page is new or has changed. Links that a page no longer has are not subtracted. */
function countLinks(documents: IndexedDocument[]): [pageKey: string, count: number][] {
  const counts = new Map<string, number>()
  for (const { row, links } of documents)
    for (const key of new Set(links)) if (key !== row.page_key) counts.set(key, (counts.get(key) ?? 0) + 1)
  // All processes insert in the same order, so that they cannot wait for each other.
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
}

/** SQLite and PostgreSQL limit the parameters of a statement. */
const rowsPerStatement = 100

function chunks<Row>(rows: readonly Row[]): Row[][] {
  const count = Math.ceil(rows.length / rowsPerStatement)
  return Array.from({ length: count }, (_, at) =>
    rows.slice(at * rowsPerStatement, (at + 1) * rowsPerStatement),
  )
}
