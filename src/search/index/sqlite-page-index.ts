import { CompiledQuery, sql } from 'kysely'
import type { DocumentTerms, PageIndex, Ranked, WordSearch } from './page-index.ts'
import type { SearchQueryable } from './tables.ts'

/** Weight of a match in the title, relative to one in the text. */
const titleWeight = 2
const fields = ['title', 'headings', 'address', 'body'] as const satisfies (keyof DocumentTerms)[]
const columns = fields.join(', ')

/**
 * Each index has a separate FTS5 table, so that word frequencies of one team never influence the ranking of another.
 * The table stores the terms, so that `secure-delete` can erase deleted words. A contentless one keeps them.
 */
export function sqlitePageIndex(): PageIndex {
  const createdTables = new Set<string>()

  async function createTable(query: SearchQueryable, indexId: string): Promise<void> {
    if (createdTables.has(indexId)) return
    // The analyser has already split, folded and stemmed, so the tokenizer only separates terms at spaces.
    await sql`create virtual table if not exists ${tableOf(indexId)} using fts5(
      ${sql.raw(columns)}, tokenize = ${sql.lit(`ascii tokenchars '+#'`)})`.execute(query)
    // `automerge` is twice the default. This halves the merges and saves 5 % CPU per page.
    for (const option of [sql`'secure-delete', 1`, sql`'automerge', 8`])
      await sql`insert into ${tableOf(indexId)} (${tableOf(indexId)}, rank) values (${option})`.execute(query)
    createdTables.add(indexId)
  }

  return {
    toColumn: () => '',
    async add(query, indexId, documents) {
      await createTable(query, indexId)
      const statement = `insert into ${nameOf(indexId)} (rowid, ${columns}) values (?, ?, ?, ?, ?)`
      for (const { number, terms } of documents) {
        const values = fields.map((field) => terms[field].join(' '))
        await query.executeQuery(CompiledQuery.raw(statement, [number, ...values]))
      }
    },
    async remove(query, indexId, numbers) {
      if (numbers.length === 0) return
      await sql`delete from ${tableOf(indexId)} where rowid in (${sql.join(numbers)})`.execute(query)
    },
    async search(query, search) {
      if (!(await hasTable(query, search.indexId))) return []
      // Documents with all the words are the best results. Others are ranked if these are too few.
      const withAll = search.words.length > 1 ? await rank(query, search, ' AND ') : []
      const ranked = withAll.length < search.limit ? await rank(query, search, ' OR ') : withAll
      const numbersWithAll = new Set(withAll.map(({ number }) => number))
      return ranked.map((document) => ({ ...document, hasAll: numbersWithAll.has(document.number) }))
    },
    async removeIndex(query, indexId) {
      createdTables.delete(indexId)
      await sql`drop table if exists ${tableOf(indexId)}`.execute(query)
    },
  }
}

type Scored = Omit<Ranked, 'hasAll'>

async function rank(query: SearchQueryable, search: WordSearch, operator: string): Promise<Scored[]> {
  const table = tableOf(search.indexId)
  const { indexId, filter, limit } = search
  const allowed = filter
    ? sql`and rowid in (select number from search_documents where index_id = ${indexId} and ${filter})`
    : sql``
  const { rows } = await sql<Scored>`
    select rowid as number, -bm25(${table}, ${sql.lit(titleWeight)}, 1, 1, 1) as score from ${table}
    where ${table} match ${matchOf(search, operator)} ${allowed}
    order by score desc, rowid limit ${limit}`.execute(query)
  return rows
}

function matchOf({ words, phrases }: WordSearch, operator: string): string {
  const wordMatch = words.map((forms) => `(${forms.map(quote).join(' OR ')})`).join(operator)
  const required = phrases.map((forms) => `(${forms.map((terms) => quote(terms.join(' '))).join(' OR ')})`)
  return [`(${wordMatch})`, ...required].join(' AND ')
}

/** In FTS5, a quoted string has no syntax except the quotation mark. */
export const quote = (text: string) => `"${text.replaceAll('"', '""')}"`

async function hasTable(query: SearchQueryable, indexId: string): Promise<boolean> {
  const name = `search_words_${indexId}`
  const { rows } = await sql`select 1 from sqlite_master where name = ${name}`.execute(query)
  return rows.length > 0
}

const tableOf = (indexId: string) => sql.raw(nameOf(indexId))
/** This service creates the ids from letters, digits and hyphens. */
const nameOf = (indexId: string) => `"search_words_${indexId.replaceAll('"', '')}"`
