import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import {
  blockSize,
  bodyLength,
  goneLength,
  headingsLength,
  isThere,
  titleLength,
} from '../ranking/postings.ts'
import { readLengths, saveLengths } from './lengths.ts'
import type { IndexTable, SearchQueryable, SearchStore, SearchTables } from './tables.ts'

/** Removes what has expired, some documents at a time. Answers how many there were. */
export function removeExpired(store: SearchStore, now: number, most = 500): Promise<number> {
  return store.transaction(
    async (transaction) => {
      const expired = await transaction
        .selectFrom('search_documents')
        .select(['index_id', 'number'])
        .where('expires_at', '<=', now)
        .limit(most)
        .execute()
      const byIndex = Map.groupBy(expired, ({ index_id }) => index_id)
      // In one order, so that two processes do not wait for each other.
      for (const id of [...byIndex.keys()].sort()) {
        const index = await lockById(store, transaction, id)
        if (index)
          await removeNumbers(
            transaction,
            index,
            (byIndex.get(id) ?? []).map(({ number }) => number),
          )
      }
      return expired.length
    },
    { durable: false },
  )
}

/** Removes pages of a team by their keys, with the images on them. */
export function removePages(store: SearchStore, teamId: string, keys: readonly string[]): Promise<void> {
  return store.transaction(
    async (transaction) => {
      const indexes = await transaction
        .selectFrom('search_indexes')
        .select('id')
        .where('team_id', '=', teamId)
        .orderBy('id')
        .execute()
      for (const { id } of indexes) {
        const index = await lockById(store, transaction, id)
        const rows = await transaction
          .selectFrom('search_documents')
          .select('number')
          .where('index_id', '=', id)
          .where((row) => row.or(keys.map((key) => ofPage(row, key))))
          .execute()
        if (index)
          await removeNumbers(
            transaction,
            index,
            rows.map(({ number }) => number),
          )
      }
    },
    { durable: false },
  )
}

/** A page itself, and the images on it, whose keys begin with its own. */
function ofPage(row: ExpressionBuilder<SearchTables, 'search_documents'>, key: string): Expression<SqlBool> {
  const images = row.and([row('document_key', '>', `${key} `), row('document_key', '<', `${key}!`)])
  return row.or([row('document_key', '=', key), images])
}

function lockById(store: SearchStore, query: SearchQueryable, id: string): Promise<IndexTable | undefined> {
  return store.lock(query.selectFrom('search_indexes').selectAll().where('id', '=', id)).executeTakeFirst()
}

/** Takes documents out of an index whose lock is held. Their postings stay until a sweep drops them. */
export async function removeNumbers(
  query: SearchQueryable,
  index: Pick<IndexTable, 'id'>,
  numbers: readonly number[],
): Promise<void> {
  if (numbers.length === 0) return
  const gone = { documents: 0, title: 0, headings: 0, body: 0 }
  for (const [block, members] of Map.groupBy(numbers, (number) => Math.floor(number / blockSize))) {
    const lengths = await readLengths(query, index.id, block)
    for (const number of members) {
      const length = lengths[number % blockSize] ?? 0
      if (!isThere(length)) continue
      lengths[number % blockSize] = goneLength
      gone.documents += 1
      gone.title += titleLength(length)
      gone.headings += headingsLength(length)
      gone.body += bodyLength(length)
    }
    if (lengths.some(isThere)) await saveLengths(query, index.id, block, lengths)
    else await removeBlock(query, index.id, block)
  }
  await query
    .deleteFrom('search_documents')
    .where('index_id', '=', index.id)
    .where('number', 'in', numbers)
    .execute()
  await query
    .updateTable('search_indexes')
    .set((row) => ({
      documents: row('documents', '-', gone.documents),
      title_words: row('title_words', '-', gone.title),
      headings_words: row('headings_words', '-', gone.headings),
      body_words: row('body_words', '-', gone.body),
    }))
    .where('id', '=', index.id)
    .execute()
}

/** Nothing of it can be found any more. */
async function removeBlock(query: SearchQueryable, indexId: string, block: number): Promise<void> {
  await query.deleteFrom('search_blocks').where('index_id', '=', indexId).where('block', '=', block).execute()
  await query
    .deleteFrom('search_postings')
    .where('index_id', '=', indexId)
    .where('block', '=', block)
    .execute()
}
