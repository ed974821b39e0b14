import type { Clause, Query, Term } from '../query/query.ts'
import type { TimeRange } from '../query/time-range.ts'
import { type Dialect, webDialect, writeQuery } from '../query/write-query.ts'
import { buildCallUrl } from './calls.ts'
import { normalizeResults, type RawResult } from './normalize-results.ts'
import { ProviderFailure, type ProviderRequest, type SearchProvider } from './provider.ts'
import { type FeedEntry, readFeed } from './read-feed.ts'
import { dateOf } from './read-response.ts'

const dialect: Dialect = { ...webDialect, operators: ['intitle'] }

export const arxiv: SearchProvider = {
  name: 'arxiv',
  description: 'Preprints of arXiv with their abstracts, by its API.',
  serves: ['research'],
  base: 'https://export.arxiv.org',
  requires: 'nothing',
  abilities: { dialect, dates: 'any', sortsByDate: true },
  pauseMs: 3000,
  maxResults: 100,
  call(request, { base }) {
    const { limit, range } = request
    const url = buildCallUrl({ base }, '/api/query', {
      search_query: searchQuery(request),
      max_results: String(Math.min(limit, 100)),
      sortBy: range.isNewestFirst ? 'submittedDate' : 'relevance',
      sortOrder: 'descending',
    })
    return { method: 'GET', url, headers: { accept: 'application/atom+xml' } }
  },
  read(response) {
    if (/^\s*rate exceeded/i.test(response.body.slice(0, 200)))
      throw new ProviderFailure('rate-limited', 'arXiv answered: too many requests')
    const entries = readFeed(response, 'arXiv')
    // An error response is a feed with one entry.
    const [first] = entries
    if (first?.texts.get('id')?.includes('/api/errors')) {
      const message = first.texts.get('summary') ?? 'an error without a reason'
      throw new ProviderFailure('refused', 'arXiv answered with an error', { responseText: message })
    }
    return normalizeResults(entries.map(toEntryResult))
  },
}

export function toEntryResult({ link, texts }: FeedEntry): RawResult {
  return {
    ...{ url: link ?? texts.get('id'), title: texts.get('title'), text: texts.get('summary') },
    publishedAt: dateOf(texts.get('published')),
  }
}

/** In relevance order, one of the words is enough, because documents with more of them rank higher. */
function searchQuery({ query, range, now }: ProviderRequest): string {
  const { words, required, excluded } = splitQuery(query)
  const ranking = words.length > 1 && !range.isNewestFirst ? [`(${words.join(' OR ')})`] : words
  const positive = [...ranking, ...required, ...writeDates(range, now)].join(' AND ')
  // ANDNOT needs a term before it, so nothing can be excluded if there is no other term.
  return positive === '' ? '' : [positive, ...excluded].join(' ANDNOT ')
}

type QueryParts = Record<'words' | 'required' | 'excluded', string[]>
function splitQuery({ clauses }: Query): QueryParts {
  const parts: QueryParts = { words: [], required: [], excluded: [] }
  for (const clause of clauses) {
    const { text, unsupported } = writeQuery({ clauses: [clause] }, dialect)
    if (unsupported.length > 0) parts.words.push(...text.split(' ').flatMap((word) => writeTerm('all', word)))
    else addClause(parts, clause)
  }
  return parts
}

function addClause(parts: QueryParts, { terms, isExcluded }: Clause): void {
  const all = terms.flatMap(toTerms)
  if (all.length === 0) return
  if (isExcluded) parts.excluded.push(...all)
  else if (terms.length > 1) parts.required.push(`(${all.join(' OR ')})`)
  else (terms[0]?.kind === 'word' ? parts.words : parts.required).push(...all)
}

function toTerms(term: Term): string[] {
  if (term.kind === 'word' || term.kind === 'phrase') return writeTerm('all', term.text)
  return term.kind === 'operator' && term.name === 'intitle' ? writeTerm('ti', term.value) : []
}

/** Brackets, quotes and colons are syntax of the query language. */
function writeTerm(field: string, text: string): string[] {
  const clean = text.replace(/[^\p{L}\p{M}\p{N}.+-]+/gu, ' ').trim()
  if (clean === '') return []
  return [`${field}:${clean.includes(' ') ? `"${clean}"` : clean}`]
}

const firstPaper = Date.UTC(1991, 0)

function writeDates({ from, to }: TimeRange, now: number): string[] {
  if (from === undefined && to === undefined) return []
  return [`submittedDate:[${formatMinute(from ?? firstPaper)} TO ${formatMinute(to ?? now)}]`]
}

const formatMinute = (time: number) => new Date(time).toISOString().replace(/\D/g, '').slice(0, 12)
