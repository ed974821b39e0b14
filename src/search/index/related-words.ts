import { analyseQuery, type QueryWord } from '../../reading/text/analyse.ts'
import { loadLanguage } from '../../reading/text/languages.ts'
import { splitWords } from '../../reading/text/words.ts'
import { isOnSite } from '../query/accepts.ts'
import type { Query } from '../query/query.ts'
import { readBody } from './body.ts'
import { reverseHost } from './document-filter.ts'
import { pageKey } from './page-key.ts'
import type { DocumentTable, SearchQueryable } from './tables.ts'

/** The page that `related:` names, and the words by which others like it are found. */
export interface Related {
  value: string
  pageKey?: string
  /** Undefined where the index does not have the page. */
  words?: QueryWord[]
}

const mostWords = 16
const readLength = 20_000

/** Undefined where the query does not ask for pages like another. */
export async function relatedWords(
  query: SearchQueryable,
  indexId: string,
  { clauses }: Query,
): Promise<Related | undefined> {
  const terms = clauses.flatMap((clause) => (clause.isExcluded ? [] : clause.terms))
  const term = terms.find((one) => one.kind === 'operator' && one.name === 'related')
  if (term?.kind !== 'operator') return undefined
  const { value } = term
  const page = await findPage(query, indexId, value)
  if (!page) return { value }
  const language = await loadLanguage(page.language ?? undefined)
  const text = await readBody(page.body)
  const counts = new Map<string, number>()
  for (const word of splitWords(`${page.title} ${page.title} ${text.slice(0, readLength)}`))
    if (word.length > 2 && !language.stopWords.has(word)) counts.set(word, (counts.get(word) ?? 0) + 1)
  const words = [...counts].sort(([, one], [, other]) => other - one).slice(0, mostWords)
  const languages = page.language === null ? [] : [page.language]
  return {
    ...{ value, pageKey: page.page_key },
    words: await analyseQuery(words.map(([word]) => word).join(' '), languages),
  }
}

/** The page itself; of a host whose first page is not there, the one with the shortest address. */
async function findPage(
  query: SearchQueryable,
  indexId: string,
  value: string,
): Promise<DocumentTable | undefined> {
  const pages = query.selectFrom('search_documents').selectAll().where('index_id', '=', indexId)
  const page = await pages.where('document_key', '=', pageKey(`https://${value}`)).executeTakeFirst()
  if (page || value.includes('/')) return page
  const candidates = await pages.where('site', '=', reverseHost(value)).orderBy('number').limit(50).execute()
  return candidates
    .filter(({ url }) => isOnSite(url, value))
    .sort((one, other) => one.url.length - other.url.length)[0]
}
