import { applyPatch } from 'diff'
import { describe, expect, it } from 'vitest'
import { readPage } from './content.ts'
import { unifiedDiff } from './diff.ts'
import { select } from './select.ts'
import { parseHtml } from './tree/parse.ts'

const numbered = (count: number, write = (index: number) => `line ${index}`) =>
  Array.from({ length: count }, (_, index) => write(index + 1)).join('\n')

describe('the unified diff of large texts', () => {
  it.each([
    ['everything, and far too much of it', numbered(30_000), numbered(30_000, (index) => `other ${index}`)],
    ['a little in a very long text', numbered(400_000), numbered(400_000).replace('line 200000\n', '')],
    ['two texts of more than a megabyte', `top\n${'x\n'.repeat(9e5)}end`, `top\n${'y\n'.repeat(9e5)}end`],
  ])('leads from one version to the other: %s', (_, previous, current) => {
    const { text } = unifiedDiff(previous, current)
    expect(applyPatch(`${previous}\n`, text) === `${current}\n`).toBe(true)
  })
})

describe('a selector', () => {
  it('that compares too many siblings is given up', () => {
    const long = parseHtml('<p></p>'.repeat(20_000))
    expect(select(long, 'i ~ p')).toEqual({ ok: false, reason: 'costly' })
    expect(select(long, 'p + p').ok).toBe(true)
  })
})

describe('a page with too many elements', () => {
  it('says that its end is missing', () => {
    const url = 'https://example.test/'
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    const bytes = Buffer.from('<i></i>'.repeat(1_000_001))
    const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
    const content = readPage({ requestedUrl: url, url, status: 200, headers, bytes, fetchedAt: 0 }, options)
    content.links()
    expect(content.warnings()).toEqual(['The page has too many elements; the last part of it was left out.'])
  })
})
