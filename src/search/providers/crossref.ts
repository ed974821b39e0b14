import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { dayOf, getJson } from './calls.ts'
import { normalizeResults, type RawResult, withoutTags } from './normalize-results.ts'
import { ProviderFailure, type SearchProvider } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

export const workSchema = z.object({
  DOI: z.string(),
  URL: z.string().optional(),
  title: z.array(z.string()).optional(),
  abstract: z.string().optional(),
  /** Year, month and day; the day, or the month and the day, may be missing. An unknown date is a list with null. */
  issued: z.object({ 'date-parts': z.array(z.array(z.number().nullable())).optional() }).optional(),
})

// In an error response, the message is a list of errors.
const responseSchema = z.object({
  status: z.string(),
  message: z.union([
    z.object({ items: z.array(workSchema) }),
    z.array(z.object({ message: z.string().optional() })),
  ]),
})

export const crossref: SearchProvider = {
  name: 'crossref',
  description: 'Articles, books and papers with a DOI, by the registration agency Crossref.',
  serves: ['research'],
  base: 'https://api.crossref.org',
  requires: 'nothing',
  abilities: { dialect: plainWords, dates: 'any', sortsByDate: true },
  pauseMs: 1000,
  maxResults: 100,
  call({ query, limit, range }, { base }) {
    const { from, to, isNewestFirst } = range
    const filters = [
      ...(from === undefined ? [] : [`from-pub-date:${dayOf(from)}`]),
      ...(to === undefined ? [] : [`until-pub-date:${dayOf(to)}`]),
    ]
    return getJson({ base }, '/works', {
      'query.bibliographic': writeQuery(query, plainWords).text,
      rows: String(Math.min(limit, 100)),
      select: 'DOI,URL,title,abstract,issued',
      filter: filters.join(',') || undefined,
      ...(isNewestFirst ? { sort: 'published', order: 'desc' } : {}),
    })
  },
  read(response) {
    const { message } = readJsonResponse(response, responseSchema, 'Crossref')
    if (Array.isArray(message)) {
      const errorText = message[0]?.message ?? 'a failure without a reason'
      throw new ProviderFailure('refused', 'Crossref answered with an error', { responseText: errorText })
    }
    return normalizeResults(message.items.map(toWorkResult))
  },
}

export function toWorkResult(work: z.output<typeof workSchema>): RawResult {
  const { DOI, URL: url = `https://doi.org/${DOI}`, title, abstract = '', issued } = work
  const [year, month, day] = issued?.['date-parts']?.[0] ?? []
  const time = typeof year === 'number' ? Date.UTC(year, (month ?? 1) - 1, day ?? 1) : Number.NaN
  return {
    ...{ url, title: withoutTags(title?.[0] ?? DOI), text: withoutTags(abstract) },
    publishedAt: Number.isNaN(time) ? undefined : time,
  }
}
