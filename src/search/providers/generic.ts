import { z } from 'zod'
import { plainWords, writeQuery } from '../query/write-query.ts'
import { parseWebUrl } from './calls.ts'
import { filterResults, type RawResult } from './normalize-results.ts'
import { ProviderFailure, type SearchProvider } from './provider.ts'
import { readJsonResponse } from './read-response.ts'

export const generic: SearchProvider = {
  name: 'generic',
  description:
    'Any service that answers in JSON: its address has {query} and may have {limit}, {country} and {language}; a key is sent as a bearer token.',
  base: '',
  requires: 'address',
  serves: ['web'],
  // The features of the service are unknown, so none is used.
  abilities: { dialect: plainWords, dates: 'none' },
  pauseMs: 200,
  maxResults: 100,
  call({ query, limit, country = '', language = '' }, { base, key }) {
    const { text } = writeQuery(query, plainWords)
    const values: Record<string, string> = { query: text, limit: String(limit), country, language }
    if (!base.includes('{query}'))
      throw new ProviderFailure('failed', 'The address of the search provider has no {query}')
    const url = base.replace(/\{(query|limit|country|language)\}/g, (_, name: string) =>
      encodeURIComponent((values[name] ?? '').toWellFormed()),
    )
    const headers = { accept: 'application/json', ...(key ? { authorization: `Bearer ${key}` } : {}) }
    return { method: 'GET', url: parseWebUrl(url), headers }
  },
  read(response, request) {
    const results = findResults(readJsonResponse(response, z.unknown(), 'The service'))
    return filterResults(results, request, 'The service')
  },
}

type Properties = Record<string, unknown>

const maxVisited = 10_000

/** Finds the results in JSON of unknown shape: the first array of objects with a URL and a title, outermost first. */
export function findResults(response: unknown): RawResult[] {
  throwIfError(response)
  const queue: unknown[] = [response]
  const lists = Array.isArray(response) ? [response] : []
  for (let index = 0; index < Math.min(queue.length, maxVisited); index++) {
    const value = queue[index]
    if (Array.isArray(value)) {
      const results = value.filter(isPlainObject).flatMap(readResult)
      if (results.length > 0) return results
    }
    if (isPlainObject(value))
      for (const [name, list] of Object.entries(value))
        if (listNames.has(name) && Array.isArray(list)) lists.push(list)
    const children = isPlainObject(value) ? Object.values(value) : Array.isArray(value) ? value : []
    for (const child of children.slice(0, maxVisited)) {
      if (typeof child === 'object' && child !== null && queue.length < maxVisited) queue.push(child)
    }
  }
  // A list with entries, none of which is a result, has an unknown shape.
  if (lists.length > 0 && lists.every((list) => list.length === 0)) return []
  throw new ProviderFailure('changed', 'The service answered without a list of results')
}

function throwIfError(response: unknown): void {
  if (!isPlainObject(response)) return
  const { error } = response
  const detail = isPlainObject(error) ? findText(error, ['message', 'detail', 'code']) : error
  if (isPlainObject(error) || (typeof error === 'string' && error !== '') || error === true) {
    const message = typeof detail === 'string' ? detail : ''
    throw new ProviderFailure('failed', 'The service answered with an error', { responseText: message })
  }
}

// Names of result lists. Another empty list, such as suggestions, does not mean that there are no results.
const listNames = new Set([
  ...['results', 'items', 'data', 'hits', 'organic', 'organic_results', 'articles', 'documents', 'docs'],
  ...['value', 'entries', 'records', 'pages', 'webPages', 'web'],
])

const fieldNames = {
  url: ['url', 'link'],
  title: ['title', 'name'],
  text: ['snippet', 'description', 'content', 'text', 'summary', 'body'],
  date: ['publishedAt', 'publishedDate', 'published_date', 'published', 'pubDate', 'iso_date', 'date'],
  imageUrl: ['imageUrl', 'image_url', 'img_src', 'image', 'thumbnail'],
}

function readResult(value: Properties): RawResult[] {
  const result = Object.entries(fieldNames).map(([field, keys]) => [field, findText(value, keys)])
  const { url, title, ...rest }: RawResult = Object.fromEntries(result)
  return url === undefined || title === undefined ? [] : [{ url, title, ...rest }]
}

function findText(value: Properties, keys: readonly string[]): string | undefined {
  for (const key of keys) {
    const text = Object.hasOwn(value, key) ? value[key] : undefined
    if (typeof text === 'string' && text !== '') return text
  }
  return undefined
}

function isPlainObject(value: unknown): value is Properties {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
