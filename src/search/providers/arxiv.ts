import type { Clause, Query, Term } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import { type Dialect, writeQuery } from '../query/write-query.ts'
import { buildCallUrl } from './calls.ts'
import { normalizeResults } from './normalize-results.ts'
import { ProviderFailure, type ProviderRequest, type SearchProvider } from './provider.ts'
import { readFeed } from './read-feed.ts'
import { dateOf } from './read-response.ts'

const dialect: Dialect = { operators: ['intitle'], hasPhrases: true, hasMinus: true, or: 'OR' }

export const arxiv: SearchProvider = {
  name: 'arxiv',
  description: 'Preprints of arXiv with their abstracts, by its API.',
  serves: ['research'],
  base: 'https://export.arxiv.org',
  requires: 'nothing',
  abilities: {
    dialect,
    ...{ dates: 'any', sortsByDate: true, country: false, language: false, location: false },
  },
  pauseMs: 3000,
  maxResults: 100,
  call(request, { base }) {
    const { most, range } = request
    const url = buildCallUrl({ base }, '/api/query', {
      search_query: searchQuery(request),
      max_results: String(Math.min(most, 100)),
      sortBy: range.isNewestFirst ? 'submittedDate' : 'relevance',
      sortOrder: 'descending',
    })
    return { method: 'GET', url, headers: { accept: 'application/atom+xml' } }
  },
  read(answer) {
    if (/^\s*rate exceeded/i.test(answer.body.slice(0, 200)))
      throw new ProviderFailure('rate-limited', 'arXiv answered: too many requests')
    const entries = readFeed(answer, 'arXiv')
    // An error is the only entry of a feed.
    const [first] = entries
    if (first?.texts.get('id')?.includes('/api/errors')) {
      const said = first.texts.get('summary') ?? 'an error without a reason'
      throw new ProviderFailure('refused', 'arXiv answered with an error', { said })
    }
    return normalizeResults(
      entries.map(({ link, texts }) => ({
        url: link ?? texts.get('id'),
        title: texts.get('title'),
        text: texts.get('summary'),
        publishedAt: dateOf(texts.get('published')),
      })),
    )
  },
}

/**
 * Every term names its field. Words only rank, so one of them is enough, and the order by relevance does the rest; in
 * the order of dates it would not, and all of them must be there.
 */
function searchQuery({ query, range, now }: ProviderRequest): string {
  const { words, wanted, unwanted } = partsOf(query)
  const ranking = words.length > 1 && !range.isNewestFirst ? [`(${words.join(' OR ')})`] : words
  const positive = [...ranking, ...wanted, ...datesOf(range, now)].join(' AND ')
  // ANDNOT stands between two terms, so there is nothing to exclude from where nothing is wanted.
  return positive === '' ? '' : [positive, ...unwanted].join(' ANDNOT ')
}

interface Parts {
  words: string[]
  wanted: string[]
  unwanted: string[]
}

function partsOf({ clauses }: Query): Parts {
  const parts: Parts = { words: [], wanted: [], unwanted: [] }
  for (const clause of clauses) {
    const { text, left } = writeQuery({ clauses: [clause] }, dialect)
    if (left.length > 0) parts.words.push(...text.split(' ').flatMap((word) => written('all', word)))
    else addClause(parts, clause)
  }
  return parts
}

function addClause(parts: Parts, { terms, isExcluded }: Clause): void {
  const all = terms.flatMap(termOf)
  if (all.length === 0) return
  if (isExcluded) parts.unwanted.push(...all)
  else if (terms.length > 1) parts.wanted.push(`(${all.join(' OR ')})`)
  else (terms[0]?.kind === 'word' ? parts.words : parts.wanted).push(...all)
}

function termOf(term: Term): string[] {
  if (term.kind === 'word' || term.kind === 'phrase') return written('all', term.text)
  return term.kind === 'operator' && term.name === 'intitle' ? written('ti', term.value) : []
}

/** Brackets, quotes and colons belong to the language of the query. */
function written(field: string, text: string): string[] {
  const clean = text.replace(/[^\p{L}\p{M}\p{N}.+-]+/gu, ' ').trim()
  if (clean === '') return []
  return [`${field}:${clean.includes(' ') ? `"${clean}"` : clean}`]
}

const firstPaper = Date.UTC(1991, 0)

function datesOf({ from, to }: TimeRange, now: number): string[] {
  if (from === undefined && to === undefined) return []
  return [`submittedDate:[${minuteOf(from ?? firstPaper)} TO ${minuteOf(to ?? now)}]`]
}

function minuteOf(at: number): string {
  return new Date(at).toISOString().replace(/\D/g, '').slice(0, 12)
}
