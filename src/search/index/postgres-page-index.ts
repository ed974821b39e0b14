import { sql } from 'kysely'
import type { DocumentTerms, PageIndex, Ranked, WordSearch } from './page-index.ts'
import type { SearchQueryable } from './tables.ts'

/** Constants of BM25, the same as in FTS5. */
const k1 = 1.2
const b = 0.75
/** Reading the terms of one document takes about 0.025 ms. */
const maxCandidates = 3000
/** Beyond this number, the number of documents with a word is estimated. */
const maxCounted = 5000

/**
 * A GIN index on `tsvector` finds candidates, and BM25 is computed from their positions; `ts_rank` ranks worse. Each
 * document contains the id of its index as a term, so that the GIN index separates teams.
 */
export function postgresPageIndex(): PageIndex {
  return {
    toColumn: buildTsvector,
    async add() {},
    async remove() {},
    search: (query, search) =>
      query.transaction().execute(async (transaction) => {
        // The planner ignores the cost of unpacking a tsvector, and would prefer a sequential scan to the index. JIT
        // compilation of a statement would take longer than running it.
        await sql`select set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)`.execute(
          transaction,
        )
        return searchWords(transaction, search)
      }),
    async removeIndex() {},
  }
}

interface CountedWord {
  forms: readonly string[]
  documents: number
}

async function searchWords(query: SearchQueryable, search: WordSearch): Promise<Ranked[]> {
  const words = await countDocuments(query, search)
  if (words.length === 0) return []
  const rarest = words.filter(
    (_, index) => index === 0 || sumDocuments(words.slice(0, index + 1)) <= maxCandidates,
  )
  if (rarest.length === words.length) return rank(query, search, words, or(words.map(matchAnyForm)))
  const withAll = await rank(query, search, words, and(words.map(matchAnyForm)))
  if (withAll.length >= search.limit) return withAll
  const withRarest = await rank(query, search, words, or(rarest.map(matchAnyForm)))
  const rareNumbers = new Set(withRarest.map(({ number }) => number))
  return [...withRarest, ...withAll.filter(({ number }) => !rareNumbers.has(number))]
    .sort((one, other) => other.score - one.score || one.number - other.number)
    .slice(0, search.limit)
}

const sumDocuments = (words: CountedWord[]) => words.reduce((total, { documents }) => total + documents, 0)

async function countDocuments(
  query: SearchQueryable,
  { indexId, words, totals }: WordSearch,
): Promise<CountedWord[]> {
  const queries = words.map((forms) => and([quote(indexTerm(indexId)), matchAnyForm({ forms })]))
  const { rows } = await sql<{ place: number; counted: number; last: number }>`
    select (word.place - 1)::int as place, counted, last
    from unnest(${queries}::text[]) with ordinality as word (query, place), lateral (
      select count(*)::int as counted, max(number)::bigint as last
      from (select number from search_documents where terms @@ word.query::tsquery limit ${maxCounted}) as first
    ) as found`.execute(query)
  return rows
    .map(({ place, counted, last }) => {
      // Rows are read in table order, which is mostly the order of their numbers.
      const share = counted < maxCounted ? 1 : Math.min((last + 1) / totals.next_number, 1)
      return { forms: words[place] ?? [], documents: Math.min(counted / share, totals.documents) }
    })
    .filter(({ documents }) => documents > 0)
    .sort((one, other) => one.documents - other.documents)
}

async function rank(
  query: SearchQueryable,
  { indexId, words: requestedWords, phrases, filter, totals, limit }: WordSearch,
  words: CountedWord[],
  match: string,
): Promise<Ranked[]> {
  // Only the words of a phrase are required here; the caller checks the phrase in the text.
  const required = phrases.map((forms) => or(forms.map((terms) => and(terms.map(quote)))))
  const all = and([quote(indexTerm(indexId)), match, ...required])
  const terms = words.flatMap(({ forms, documents }) => {
    // Formula and minimum are those of FTS5, so that the order is the same on both databases.
    const rarity = Math.log((totals.documents - documents + 0.5) / (documents + 0.5))
    return forms.map((form) => [quote(form), Math.max(rarity, 1e-6)] as const)
  })
  const hasAll =
    words.length === requestedWords.length && words.length > 1 ? and(words.map(matchAnyForm)) : undefined
  const average = Math.max(totals.words / Math.max(totals.documents, 1), 1)
  // `ts_delete` removes nothing here. It unpacks the terms once for all words.
  const { rows } = await sql<Ranked>`
    select number, (
      select sum(rarity * count * ${k1 + 1}::float8
        / (count + ${k1}::float8 * (${1 - b}::float8 + ${b}::float8 * length / ${average}::float8)))
      from (
        select rarity, ${countPositions('{1,1,1,1}')} + ${countPositions('{0,0,0,1}')} as count
        from unnest(${terms.map(([form]) => form)}::tsquery[], ${terms.map(([, rarity]) => rarity)}::float8[])
          as word (form, rarity)
      ) as counted
    ) as score, ${hasAll === undefined ? sql.lit(false) : sql`terms @@ ${hasAll}::tsquery`} as "hasAll"
    from (
      select number, length, ts_delete(terms, '{}'::text[]) as terms from search_documents
      where terms @@ ${all}::tsquery ${filter ? sql`and ${filter}` : sql``}
      limit ${maxCandidates}
    ) as candidate
    order by score desc, number limit ${limit}`.execute(query)
  return rows
}

/**
 * Counts the positions of a term; `unnest` takes thirty times as long. `ts_rank` of one term is the sum of
 * 1/n² over its occurrences, divided by π²/6. The missing rest of the series is about 1/(n + 0.55), and
 * rounding removes the error.
 */
const countPositions = (weights: string) => sql`
  round(6 / pi() ^ 2 / (1 - ts_rank(${sql.lit(weights)}, terms, word.form)::float8) - 0.55)`

const or = (parts: readonly string[]) => `(${parts.join(' | ')})`
const and = (parts: readonly string[]) => `(${parts.join(' & ')})`
const matchAnyForm = ({ forms }: Pick<CountedWord, 'forms'>) => or(forms.map(quote))

/** No word contains `=`, so no word equals this term. */
const indexTerm = (indexId: string) => `=${indexId}`

const quote = (term: string) => `'${term.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`

/** Maximum positions of a lexeme that PostgreSQL stores. */
const maxCount = 255

/**
 * Returns the text of a `tsvector`, because the PostgreSQL parser would split and fold terms again. Positions are only
 * counted. A term without positions counts as one occurrence, which makes a row a sixth smaller.
 */
function buildTsvector(indexId: string, { title, headings, address, body }: DocumentTerms): string {
  const counts = new Map<string, number>()
  for (const terms of [headings, address, body])
    for (const term of terms) counts.set(term, (counts.get(term) ?? 0) + 1)
  const inTitle = new Map<string, number>()
  for (const term of title) {
    inTitle.set(term, (inTitle.get(term) ?? 0) + 1)
    if (!counts.has(term)) counts.set(term, 0)
  }
  let text = quote(indexTerm(indexId))
  for (const [term, count] of counts)
    text += ` ${quote(term)}${formatPositions(inTitle.get(term) ?? 0, count)}`
  return text
}

function formatPositions(inTitle: number, count: number): string {
  if (inTitle === 0 && count === 1) return ''
  const total = Math.min(inTitle + count, maxCount)
  return `:${Array.from({ length: total }, (_, index) => `${index + 1}${index < inTitle ? 'A' : ''}`).join(',')}`
}
