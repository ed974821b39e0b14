import { newId } from '../../base/ids.ts'
import {
  blockSize,
  bodyLength,
  type Counts,
  headingsLength,
  noCounts,
  packLengths,
  packPosting,
  titleLength,
} from '../ranking/postings.ts'
import { areNearlySame } from './fingerprint.ts'
import { type InsertStatement, insertRows } from './insert-rows.ts'
import { knownLanguages, mostLanguages } from './languages-of.ts'
import { bytesOf, readLengths, saveLengths } from './lengths.ts'
import { removeNumbers } from './remove-documents.ts'
import type { DocumentTable, IndexKind, IndexTable, SearchQueryable, SearchStore } from './tables.ts'

/** A page or an image that is ready to be found. */
export interface IndexedDocument {
  row: Omit<DocumentTable, 'index_id' | 'number'>
  terms: Record<keyof Counts, string[]>
  /** The pages it links to. */
  links: string[]
}

/** Adds documents, or replaces those of the same key; what was indexed as it is now stays. Answers how many changed. */
export function addDocuments(
  store: SearchStore,
  index: { teamId: string; kind: IndexKind },
  documents: readonly IndexedDocument[],
): Promise<number> {
  // The last of several with one key is the newest.
  const newest = [...new Map(documents.map((document) => [document.row.document_key, document])).values()]
  return store.transaction(
    async (transaction) => {
      const found = await lockIndex(store, transaction, index)
      const changed = await leaveOutUnchanged(transaction, found, newest)
      if (changed.length > 0) await write(store.dialect, transaction, found, changed)
      return changed.length
    },
    { durable: false },
  )
}

/** The index of a team, made where there is none, and held until the transaction ends. */
async function lockIndex(
  store: SearchStore,
  query: SearchQueryable,
  { teamId, kind }: { teamId: string; kind: IndexKind },
): Promise<IndexTable> {
  const counts = {
    next_number: 0,
    documents: 0,
    title_words: 0,
    headings_words: 0,
    body_words: 0,
    languages: '[]',
  }
  await query
    .insertInto('search_indexes')
    .values({ id: newId(), team_id: teamId, kind, ...counts })
    .onConflict((conflict) => conflict.columns(['team_id', 'kind']).doNothing())
    .execute()
  const rows = query
    .selectFrom('search_indexes')
    .selectAll()
    .where('team_id', '=', teamId)
    .where('kind', '=', kind)
  return store.lock(rows).executeTakeFirstOrThrow()
}

/** Notes that unchanged documents were seen again, and takes out those that are replaced. */
async function leaveOutUnchanged(
  query: SearchQueryable,
  index: IndexTable,
  documents: IndexedDocument[],
): Promise<IndexedDocument[]> {
  const keys = documents.map(({ row }) => row.document_key)
  const old = await query
    .selectFrom('search_documents')
    .select(['number', 'document_key', 'hash', 'title', 'fingerprint', 'vector'])
    .where('index_id', '=', index.id)
    .where('document_key', 'in', keys)
    .execute()
  const known = new Map(old.map((row) => [row.document_key, row]))
  const changed: IndexedDocument[] = []
  const gone: number[] = []
  for (const document of documents) {
    const { document_key, hash, fetched_at, expires_at } = document.row
    const before = known.get(document_key)
    if (before?.hash === hash)
      await query
        .updateTable('search_documents')
        .set({ fetched_at, expires_at })
        .where('index_id', '=', index.id)
        .where('number', '=', before.number)
        .execute()
    else {
      changed.push(before ? withVectorOf(before, document) : document)
      if (before) gone.push(before.number)
    }
  }
  await removeNumbers(query, index, gone)
  return changed
}

/** Where a few words have changed, what a page means has not. */
function withVectorOf(
  { title, fingerprint, vector }: Pick<DocumentTable, 'title' | 'fingerprint' | 'vector'>,
  document: IndexedDocument,
): IndexedDocument {
  const { row } = document
  if (vector === null || row.vector_due === null || title !== row.title) return document
  if (!areNearlySame(fingerprint, row.fingerprint)) return document
  return { ...document, row: { ...row, vector, vector_due: null } }
}

async function write(
  dialect: SearchStore['dialect'],
  query: SearchQueryable,
  index: IndexTable,
  documents: IndexedDocument[],
): Promise<void> {
  const first = index.next_number
  const numbered = documents.map((document, place) => ({ ...document, number: first + place }))
  const target = { indexId: index.id, dialect }
  await insertRows(
    query,
    target,
    documentRows,
    numbered.map(({ row, number }) => [number, ...columns.map((name) => row[name])]),
  )
  await insertRows(query, target, postingRows, postingsOf(numbered))
  await writeLengths(query, index, numbered)
  await insertRows(query, target, inboundRows, linksOf(documents))
}

type Numbered = IndexedDocument & { number: number }

const columns = [
  ...(['document_key', 'page_key', 'url', 'site', 'type', 'title', 'language', 'published_at'] as const),
  ...(['fetched_at', 'expires_at', 'news', 'hash', 'fingerprint', 'image_url', 'image_width'] as const),
  ...(['image_height', 'body', 'vector', 'vector_due'] as const),
] satisfies (keyof IndexedDocument['row'])[]
const documentRows: InsertStatement = { table: 'search_documents', columns: ['number', ...columns] }

const appendTo = '(index_id, block, term) do update set postings ='
const postingRows: InsertStatement = {
  table: 'search_postings',
  columns: ['block', 'term', 'postings'],
  onConflict: {
    // SQLite joins bytes as it joins text, and needs a cast to keep them bytes.
    sqlite: `${appendTo} cast(search_postings.postings || excluded.postings as blob)`,
    postgres: `${appendTo} search_postings.postings || excluded.postings`,
  },
}

/** In one order in every process, and neighbours in the tree together. */
function postingsOf(documents: Numbered[]): [block: number, term: string, postings: Uint8Array][] {
  const rows: [number, string, Uint8Array][] = []
  for (const [block, members] of Map.groupBy(documents, ({ number }) => Math.floor(number / blockSize))) {
    const lists = new Map<string, number[]>()
    for (const { number, terms } of members)
      for (const [term, counts] of countTerms(terms)) {
        const posting = packPosting(number, counts)
        const list = lists.get(term)
        if (list) list.push(posting)
        else lists.set(term, [posting])
      }
    for (const term of [...lists.keys()].sort()) rows.push([block, term, bytesOf(lists.get(term) ?? [])])
  }
  return rows
}

function countTerms(terms: IndexedDocument['terms']): Map<string, Counts> {
  const counted = new Map<string, Counts>()
  for (const field of ['title', 'headings', 'address', 'body'] as const)
    for (const term of terms[field]) {
      let counts = counted.get(term)
      if (!counts) {
        counts = { ...noCounts }
        counted.set(term, counts)
      }
      counts[field] += 1
    }
  return counted
}

async function writeLengths(query: SearchQueryable, index: IndexTable, documents: Numbered[]): Promise<void> {
  const sums = { title: 0, headings: 0, body: 0 }
  const blocks = Map.groupBy(documents, ({ number }) => Math.floor(number / blockSize))
  for (const [block, members] of blocks) {
    const lengths = await readLengths(query, index.id, block)
    for (const { number, terms } of members) {
      const { title, headings, body } = terms
      const length = packLengths({ title: title.length, headings: headings.length, body: body.length })
      lengths[number % blockSize] = length
      sums.title += titleLength(length)
      sums.headings += headingsLength(length)
      sums.body += bodyLength(length)
    }
    await saveLengths(query, index.id, block, lengths)
  }
  await query
    .updateTable('search_indexes')
    .set((row) => ({
      next_number: index.next_number + documents.length,
      documents: row('documents', '+', documents.length),
      title_words: row('title_words', '+', sums.title),
      headings_words: row('headings_words', '+', sums.headings),
      body_words: row('body_words', '+', sums.body),
      languages: withLanguages(index.languages, documents),
    }))
    .where('id', '=', index.id)
    .execute()
}

function withLanguages(known: string, documents: Numbered[]): string {
  const seen = documents.flatMap(({ row }) => row.language ?? [])
  return JSON.stringify([...new Set([...knownLanguages(known), ...seen])].slice(0, mostLanguages))
}

const addInbound = '(index_id, page_key) do update set inbound = search_inbound.inbound + excluded.inbound'
const inboundRows: InsertStatement = {
  table: 'search_inbound',
  columns: ['page_key', 'inbound'],
  onConflict: { sqlite: addInbound, postgres: addInbound },
}

/** Links count when their page is new or has changed; what a page linked to before is not taken back. */
function linksOf(documents: IndexedDocument[]): [pageKey: string, inbound: number][] {
  const counts = new Map<string, number>()
  for (const { row, links } of documents)
    for (const key of new Set(links)) if (key !== row.page_key) counts.set(key, (counts.get(key) ?? 0) + 1)
  return [...counts].sort(([one], [other]) => (one < other ? -1 : 1))
}
