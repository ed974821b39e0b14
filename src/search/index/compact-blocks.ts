import { goneLength, isThere } from '../ranking/postings.ts'
import { type InsertStatement, insertRows } from './insert-rows.ts'
import { bytesOf, numbersOf, readLengths, saveLengths } from './lengths.ts'
import type { BlockTable, SearchQueryable, SearchStore } from './tables.ts'

type BlockKey = Pick<BlockTable, 'index_id' | 'block'>

/** Read together: a block has 16 KB of lengths, and tens of thousands of terms. */
const blocksAtOnce = 50
const termsAtOnce = 1000

/**
 * Drops the postings of documents that are gone, block by block, wherever they are as many as those of the others. No
 * document gets another number, so searches may go on. Answers how many blocks were written anew.
 */
export async function compactBlocks(store: SearchStore): Promise<number> {
  let compacted = 0
  let last: BlockKey | undefined
  do {
    const blocks = await nextBlocks(store.query, last)
    for (const { lengths, ...key } of blocks)
      if (isWorthIt(numbersOf(lengths)) && (await compact(store, key))) compacted += 1
    last = blocks.at(-1)
  } while (last)
  return compacted
}

function nextBlocks(query: SearchQueryable, after: BlockKey | undefined): Promise<BlockTable[]> {
  let select = query.selectFrom('search_blocks').selectAll()
  if (after)
    select = select.where((row) =>
      row.or([
        row('index_id', '>', after.index_id),
        row.and([row('index_id', '=', after.index_id), row('block', '>', after.block)]),
      ]),
    )
  return select.orderBy('index_id').orderBy('block').limit(blocksAtOnce).execute()
}

function isWorthIt(lengths: Uint32Array): boolean {
  const gone = lengths.filter((length) => length === goneLength).length
  return gone > 0 && gone >= lengths.filter(isThere).length
}

function compact(store: SearchStore, { index_id, block }: BlockKey): Promise<boolean> {
  return store.transaction(
    async (transaction) => {
      const index = transaction.selectFrom('search_indexes').select('id').where('id', '=', index_id)
      await store.lock(index).executeTakeFirst()
      const lengths = await readLengths(transaction, index_id, block)
      // Another process may have done it, or removed the block, while this one waited.
      if (!isWorthIt(lengths)) return false
      await rewritePostings(transaction, store.dialect, { index_id, block }, lengths)
      const left = lengths.map((length) => (isThere(length) ? length : 0))
      await saveLengths(transaction, index_id, block, left)
      return true
    },
    { durable: false },
  )
}

const replaced = '(index_id, block, term) do update set postings = excluded.postings'
const replacedRows: InsertStatement = {
  table: 'search_postings',
  columns: ['block', 'term', 'postings'],
  onConflict: { sqlite: replaced, postgres: replaced },
}

async function rewritePostings(
  query: SearchQueryable,
  dialect: SearchStore['dialect'],
  { index_id, block }: BlockKey,
  lengths: Uint32Array,
): Promise<void> {
  const ofBlock = () =>
    query.selectFrom('search_postings').where('index_id', '=', index_id).where('block', '=', block)
  for (let last = ''; ; ) {
    const rows = await ofBlock()
      .select(['term', 'postings'])
      .where('term', '>', last)
      .orderBy('term')
      .limit(termsAtOnce)
      .execute()
    const shorter = rows.flatMap(({ term, postings }) => {
      const before = numbersOf(postings)
      const after = before.filter((posting) => isThere(lengths[posting >>> 20] ?? 0))
      return after.length < before.length ? [{ term, after }] : []
    })
    const empty = shorter.filter(({ after }) => after.length === 0).map(({ term }) => term)
    if (empty.length > 0)
      await query
        .deleteFrom('search_postings')
        .where('index_id', '=', index_id)
        .where('block', '=', block)
        .where('term', 'in', empty)
        .execute()
    const kept = shorter.filter(({ after }) => after.length > 0)
    await insertRows(
      query,
      { indexId: index_id, dialect },
      replacedRows,
      kept.map(({ term, after }) => [block, term, bytesOf(after)]),
    )
    const end = rows.at(-1)
    if (!end) return
    last = end.term
  }
}
