import { readPage } from '../../../src/content/content.ts'
import type { BenchPage } from '../scorer.ts'
import type { System } from './system.ts'

/** Reads pages from bytes with the code of this service, so that decoding is part of its time. */
export const winnow: System = {
  name: 'winnow',
  title: 'Winnow',
  packages: [],
  extract: (page) => getMarkdown(page, { onlyMainContent: true }),
  convert: (page) => getMarkdown(page, { onlyMainContent: false }),
}

/** Variants of this service with other options; they are only measured if `--systems` names them. */
export const winnowVariants: System[] = [
  createVariant('winnow-clean', { onlyMainContent: true, onlyCleanContent: true }),
  createVariant('winnow-whole', { onlyMainContent: false, onlyCleanContent: false }),
  createVariant('winnow-whole-clean', { onlyMainContent: false, onlyCleanContent: true }),
]

interface ContentOptions {
  onlyMainContent: boolean
  onlyCleanContent?: boolean
}

function createVariant(name: string, contentOptions: ContentOptions): System {
  return {
    name,
    title: name,
    packages: [],
    isOptional: true,
    extract: (page) => getMarkdown(page, contentOptions),
  }
}

function getMarkdown({ url, html }: BenchPage, contentOptions: ContentOptions): string {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  const options = { ...contentOptions, includeTags: [], excludeTags: [], removeBase64Images: true }
  return readPage(page, options).markdown()
}
