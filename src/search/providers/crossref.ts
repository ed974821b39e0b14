import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { dayOf, getJson } from './calls.ts'
import { normalizeResults, withoutTags } from './normalize-results.ts'
import { ProviderFailure, type SearchProvider } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

const workShape = z.object({
  DOI: z.string(),
  URL: z.string().optional(),
  title: z.array(z.string()).optional(),
  abstract: z.string().optional(),
  /** Year, month and day, of which the last may be missing; an unknown date is a list with null. */
  issued: z.object({ 'date-parts': z.array(z.array(z.number().nullable())).optional() }).optional(),
})

// A failure has a list of errors for a message.
const answerShape = z.object({
  status: z.string(),
  message: z.union([
    z.object({ items: z.array(workShape) }),
    z.array(z.object({ message: z.string().optional() })),
  ]),
})

export const crossref: SearchProvider = {
  name: 'crossref',
  description: 'Articles, books and papers with a DOI, by the registration agency Crossref.',
  serves: ['research'],
  base: 'https://api.crossref.org',
  requires: 'nothing',
  abilities: {
    dialect: plainWords,
    ...{ dates: 'any', sortsByDate: true, country: false, language: false, location: false },
  },
  pauseMs: 1000,
  maxResults: 100,
  call({ query, most, range }, { base }) {
    const { from, to, isNewestFirst } = range
    const filters = [
      ...(from === undefined ? [] : [`from-pub-date:${dayOf(from)}`]),
      ...(to === undefined ? [] : [`until-pub-date:${dayOf(to)}`]),
    ]
    return getJson({ base }, '/works', {
      'query.bibliographic': writeQuery(query, plainWords).text,
      rows: String(Math.min(most, 100)),
      select: 'DOI,URL,title,abstract,issued',
      filter: filters.join(',') || undefined,
      ...(isNewestFirst ? { sort: 'published', order: 'desc' } : {}),
    })
  },
  read(answer) {
    const { message } = readJsonResponse(answer, answerShape, 'Crossref')
    if (Array.isArray(message)) {
      const said = message[0]?.message ?? 'a failure without a reason'
      throw new ProviderFailure('refused', 'Crossref answered with an error', { said })
    }
    return normalizeResults(
      message.items.map(({ DOI, URL: address, title, abstract = '', issued }) => ({
        url: address ?? `https://doi.org/${DOI}`,
        title: withoutTags(title?.[0] ?? DOI),
        text: withoutTags(abstract),
        publishedAt: issuedAt(issued?.['date-parts']?.[0]),
      })),
    )
  },
}

export function issuedAt([year, month, day]: (number | null)[] = []): number | undefined {
  if (typeof year !== 'number') return undefined
  const at = Date.UTC(year, (month ?? 1) - 1, day ?? 1)
  return Number.isNaN(at) ? undefined : at
}
