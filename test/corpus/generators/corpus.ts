import { readdirSync, readFileSync } from 'node:fs'
import { readPage } from '../../../src/content/content.ts'
import type { Expectation } from './expectation.ts'

const folder = new URL('expect/', import.meta.url)

export const generators = readdirSync(folder)
  .filter((name) => name.endsWith('.json'))
  .map((name) => name.slice(0, -'.json'.length))

/** Returns the expectations for each page of a generator. */
export function expectationsOf(generator: string): [page: string, Expectation][] {
  const text = readFileSync(new URL(`${generator}.json`, folder), 'utf8')
  const none = { lines: [], text: [], words: [], inOrder: [], not: [] }
  const pages = JSON.parse(text) as Record<string, Partial<Expectation> & { url: string }>
  return Object.entries(pages).map(([page, expectation]) => [page, { ...none, ...expectation }])
}

/** Returns the page as Winnow converts it with default options. */
export function markdownOf(generator: string, page: string, url: string): string {
  const bytes = readFileSync(new URL(`pages/${generator}/${page}.html`, import.meta.url))
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return readPage({ requestedUrl: url, url, status: 200, headers, bytes, fetchedAt: 0 }, options).markdown()
}
