import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { webAddress } from './calls.ts'
import { filterResults, type GivenResult } from './normalize-results.ts'
import { ProviderFailure, type SearchProvider } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

export const generic: SearchProvider = {
  name: 'generic',
  description:
    'Any service that answers in JSON: its address has {query} and may have {limit}, {country} and {language}; a key is sent as a bearer token.',
  base: '',
  requires: 'address',
  serves: ['web'],
  abilities: {
    // Nothing is known of the service, so that nothing is left to it.
    dialect: plainWords,
    ...{ dates: 'none', sortsByDate: false, country: false, language: false, location: false },
  },
  pauseMs: 200,
  maxResults: 100,
  call({ query, most, country = '', language = '' }, { base, key }) {
    const { text } = writeQuery(query, plainWords)
    const values: Record<string, string> = { query: text, limit: String(most), country, language }
    if (!base.includes('{query}'))
      throw new ProviderFailure('failed', 'The address of the search provider has no {query}')
    const address = base.replace(/\{(query|limit|country|language)\}/g, (_, name: string) =>
      encodeURIComponent((values[name] ?? '').toWellFormed()),
    )
    const headers = { accept: 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) }
    return { method: 'GET', url: webAddress(address), headers }
  },
  read(answer, request) {
    return filterResults(
      findResults(readJsonResponse(answer, z.unknown(), 'The service')),
      request,
      'The service',
    )
  },
}

type Properties = Record<string, unknown>

/** Enough for any answer of a search, and an end for those that are none. */
const maxVisited = 10_000

/**
 * Finds the results in JSON of unknown shape: the first array of objects that have an address and a title, the
 * outermost first.
 */
export function findResults(answer: unknown): GivenResult[] {
  refuseError(answer)
  const waiting: unknown[] = [answer]
  const lists = Array.isArray(answer) ? [answer] : []
  for (let at = 0; at < Math.min(waiting.length, maxVisited); at++) {
    const value = waiting[at]
    if (Array.isArray(value)) {
      const results = value.filter(isProperties).filter(isResult)
      if (results.length > 0) return results.map(readResult)
    }
    if (isProperties(value)) lists.push(...namedLists(value))
    const inside = isProperties(value) ? Object.values(value) : Array.isArray(value) ? value : []
    for (const one of inside.slice(0, maxVisited)) {
      if (typeof one === 'object' && one !== null && waiting.length < maxVisited) waiting.push(one)
    }
  }
  // A list that has entries, none of which is a result, is in a shape that is not known here.
  if (lists.length > 0 && lists.every((list) => list.length === 0)) return []
  throw new ProviderFailure('changed', 'The service answered without a list of results')
}

function refuseError(answer: unknown): void {
  if (!isProperties(answer)) return
  const { error } = answer
  const said = isProperties(error) ? textOf(error, ['message', 'detail', 'code']) : error
  if (isProperties(error) || (typeof error === 'string' && error !== '') || error === true) {
    const words = typeof said === 'string' ? said : ''
    throw new ProviderFailure('failed', 'The service answered with an error', { said: words })
  }
}

// An empty list of anything else, such as suggestions, does not say that there are no results.
const listNames = new Set([
  ...['results', 'items', 'data', 'hits', 'organic', 'organic_results', 'articles', 'documents', 'docs'],
  ...['value', 'entries', 'records', 'pages', 'webPages', 'web'],
])

function namedLists(value: Properties): unknown[][] {
  return Object.entries(value).flatMap(([name, list]) =>
    listNames.has(name) && Array.isArray(list) ? [list] : [],
  )
}

const names = {
  url: ['url', 'link'],
  title: ['title', 'name'],
  text: ['snippet', 'description', 'content', 'text', 'summary', 'body'],
  date: ['publishedAt', 'publishedDate', 'published_date', 'published', 'pubDate', 'iso_date', 'date'],
  image: ['imageUrl', 'image_url', 'img_src', 'image', 'thumbnail'],
}

function isResult(value: Properties): boolean {
  return textOf(value, names.url) !== undefined && textOf(value, names.title) !== undefined
}

function readResult(value: Properties): GivenResult {
  return {
    url: textOf(value, names.url),
    title: textOf(value, names.title),
    text: textOf(value, names.text),
    date: textOf(value, names.date),
    imageUrl: textOf(value, names.image),
  }
}

function textOf(value: Properties, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = Object.hasOwn(value, key) ? value[key] : undefined
    if (typeof text === 'string' && text !== '') return text
  }
  return undefined
}

function isProperties(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
