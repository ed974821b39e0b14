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

/** Ours with other options; measured where it is named. */
export const winnowOptions: System[] = [
  variant('winnow-clean', { onlyMainContent: true, onlyCleanContent: true }),
  variant('winnow-whole', { onlyMainContent: false, onlyCleanContent: false }),
  variant('winnow-whole-clean', { onlyMainContent: false, onlyCleanContent: true }),
]

interface Wanted {
  onlyMainContent: boolean
  onlyCleanContent?: boolean
}

function variant(name: string, wanted: Wanted): System {
  return { name, title: name, packages: [], isAside: true, extract: (page) => markdown(page, wanted) }
}

function markdown({ url, html }: BenchPage, wanted: Wanted): string {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const options = { ...wanted, includeTags: [], excludeTags: [], removeBase64Images: true }
  return readPage(page, options).markdown()
}
