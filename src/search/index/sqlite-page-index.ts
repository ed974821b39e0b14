import { CompiledQuery, sql } from 'kysely'
import type { DocumentTerms, PageIndex, Ranked, WordSearch } from './page-index.ts'
import type { SearchQueryable } from './tables.ts'

/** A match in the title counts as much as this many in the text. */
const titleWeight = 2
const fields = ['title', 'headings', 'address', 'body'] as const satisfies (keyof DocumentTerms)[]
const columns = fields.join(', ')

/**
 * Full-text search of SQLite (FTS5). Each index has a table of its own, so that frequencies of words in one team's pages never
 * influence the ranking of another's. The table stores the terms, from which FTS5 finds the postings of a document to erase
 * (`secure-delete`); a table without content would keep deleted words.
 */
export function sqlitePageIndex(): PageIndex {
  const existing = new Set<string>()

  async function createTable(query: SearchQueryable, indexId: string): Promise<void> {
    if (existing.has(indexId)) return
    // The analyser has already split, folded and stemmed. The tokenizer only has to separate terms at spaces.
    await sql`create virtual table if not exists ${tableOf(indexId)} using fts5(
      ${sql.raw(columns)}, tokenize = ${sql.lit(`ascii tokenchars '+#'`)})`.execute(query)
    const set = (option: string, value: number) =>
      sql`insert into ${tableOf(indexId)} (${tableOf(indexId)}, rank) values (${sql.lit(option)}, ${sql.lit(value)})`.execute(
        query,
      )
    await set('secure-delete', 1)
    // Twice the default: half as many merges cost 5 % less CPU per page.
    await set('automerge', 8)
    existing.add(indexId)
  }

  return {
    toColumn: () => '',
    async add(query, indexId, documents) {
      await createTable(query, indexId)
      const statement = `insert into ${nameOf(indexId)} (rowid, ${columns}) values (?, ?, ?, ?, ?)`
      for (const { number, terms } of documents)
        await query.executeQuery(
          CompiledQuery.raw(statement, [number, ...fields.map((field) => terms[field].join(' '))]),
        )
    },
    async remove(query, indexId, numbers) {
      if (numbers.length === 0) return
      await sql`delete from ${tableOf(indexId)} where rowid in (${sql.join(numbers)})`.execute(query)
    },
    async search(query, search) {
      if (!(await hasTable(query, search.indexId))) return []
      // Documents with all the words are best anyway. Only if they are too few, those with some of the words are ranked.
      const withAll = search.words.length > 1 ? await rank(query, search, ' AND ') : []
      const ranked = withAll.length < search.limit ? await rank(query, search, ' OR ') : withAll
      const complete = new Set(withAll.map(({ number }) => number))
      return ranked.map((one) => ({ ...one, hasAll: complete.has(one.number) }))
    },
    async removeIndex(query, indexId) {
      existing.delete(indexId)
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

/** Every term is quoted, so that none of it can be syntax of FTS5. */
function matchOf({ words, phrases }: Pick<WordSearch, 'words' | 'phrases'>, operator: string): string {
  const any = words.map((forms) => `(${forms.map(quote).join(' OR ')})`).join(operator)
  const required = phrases.map((forms) => `(${forms.map((terms) => quote(terms.join(' '))).join(' OR ')})`)
  return [`(${any})`, ...required].join(' AND ')
}

function quote(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

async function hasTable(query: SearchQueryable, indexId: string): Promise<boolean> {
  const { rows } = await sql`select 1 from sqlite_master where name = ${`search_words_${indexId}`}`.execute(
    query,
  )
  return rows.length > 0
}

const tableOf = (indexId: string) => sql.raw(nameOf(indexId))
/** Ids are made by this service, and consist of letters, digits and hyphens. */
const nameOf = (indexId: string) => `"search_words_${indexId.replaceAll('"', '')}"`
