import { applyPatch, parsePatch } from 'diff'
import { describe, expect, it } from 'vitest'
import { writeHtml } from './clean-html.ts'
import { readPage } from './content.ts'
import { createUnifiedDiff } from './diff.ts'
import { imageSource } from './image-source.ts'
import { select } from './select.ts'
import { selectContent } from './select-content.ts'
import { tag } from './tree/names.ts'
import { parseHtml } from './tree/parse.ts'

const numbered = (count: number, write = (index: number) => `line ${index}`) =>
  Array.from({ length: count }, (_, index) => write(index + 1)).join('\n')

describe('unifiedDiff of large texts', () => {
  it.each([
    ['everything, and far too much of it', numbered(30_000), numbered(30_000, (index) => `other ${index}`)],
    ['a little in a very long text', numbered(400_000), numbered(400_000).replace('line 200000\n', '')],
    ['two texts of more than a megabyte', `top\n${'x\n'.repeat(9e5)}end`, `top\n${'y\n'.repeat(9e5)}end`],
  ])('returns a patch from one version to the other: %s', (_, previous, current) => {
    const { text } = createUnifiedDiff(previous, current)
    expect(applyPatch(`${previous}\n`, text) === `${current}\n`).toBe(true)
  })

  it('replaces one block, with a note, if line comparison takes too long', () => {
    const { files, text } = createUnifiedDiff(
      `top\n${numbered(5000)}\nend`,
      `top\n${numbered(5000, (index) => `other ${index}`)}\nend`,
    )
    expect(files[0]?.chunks).toHaveLength(1)
    expect(files[0]?.chunks[0]?.content).toBe(
      '@@ -1,5002 +1,5002 @@ too many changes to compare line by line: replaced as a whole',
    )
    expect(parsePatch(text)[0]?.hunks[0]).toMatchObject({ oldLines: 5002, newLines: 5002 })
  })
})

describe('select', () => {
  const long = parseHtml('<p a></p>'.repeat(20_000))

  it.each(['~', '+', ' ', '>'])('takes one pass for each of a dozen combinators %j', (combinator) => {
    expect(select(long, Array(12).fill('[a]').join(combinator)).ok).toBe(true)
  })

  it('returns costly for a selector that compares all elements inside brackets', () => {
    expect(select(long, ':not(i ~ p)')).toEqual({ ok: false, reason: 'costly' })
    // The limit applies to all selectors on the page together.
    expect(select(long, 'p')).toEqual({ ok: false, reason: 'costly' })
  })
})

const url = 'https://example.test/'

function read(html: string, onlyMainContent: boolean) {
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const options = { onlyMainContent, includeTags: [], excludeTags: [], removeBase64Images: true }
  const page = { requestedUrl: url, url, status: 200, headers, bytes: Buffer.from(html), fetchedAt: 0 }
  return readPage(page, options)
}

describe('readPage with too many elements', () => {
  it('warns that the end of the page is missing', () => {
    const content = read('<i></i>'.repeat(1_000_001), true)
    content.links()
    expect(content.warnings()).toEqual(['The page has too many elements; the last part of it was left out.'])
  })
})

describe('readPage with elements nested too deeply', () => {
  it('warns once that elements were moved up', () => {
    const content = read(`${'<div>'.repeat(100_000)}deep`, false)
    expect(content.markdown()).toBe('deep')
    expect(content.html()).toContain('deep')
    expect(content.warnings()).toEqual(['The page nests its elements too deeply; the deepest were moved up.'])
  })
})

describe('writeHtml', () => {
  it('writes an element with a hundred thousand attributes', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `a${index}`).join(' ')
    const tree = parseHtml(`<p ${names} ${names}>x`)
    const page = { tree, url, base: url, blocked: new Uint8Array(tree.count) }
    const options = { onlyMainContent: false, includeTags: [], excludeTags: [] }
    expect(writeHtml(selectContent(page, options, new Set()))).toBe(`<p ${names}>x</p>`)
  })
})

describe('imageSource', () => {
  it('finds the source of each of 100,000 images in one picture', () => {
    const tree = parseHtml(`<picture>${'<source>'.repeat(100_000)}${'<img>'.repeat(100_000)}</picture>`)
    const images = [...tree.tags.keys()].filter((node) => tree.tags[node] === tag.img)
    expect(images.map((image) => imageSource(tree, image)).filter((source) => source !== undefined)).toEqual(
      [],
    )
  })
})
