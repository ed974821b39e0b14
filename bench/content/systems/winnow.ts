import { readPage } from '../../../src/content/content.ts'
import type { BenchPage } from '../scorer.ts'
import type { System } from './system.ts'

/** Ours, from the bytes as they come over the wire: decoding is part of its time. */
export const winnow: System = {
  name: 'winnow',
  title: 'Winnow',
  packages: [],
  extract: (page) => markdown(page, { onlyMainContent: true }),
  convert: (page) => markdown(page, { onlyMainContent: false }),
}

function markdown({ url, html }: BenchPage, wanted: { onlyMainContent: boolean }): string {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const options = { ...wanted, includeTags: [], excludeTags: [], removeBase64Images: true }
  return readPage(page, options).markdown()
}
