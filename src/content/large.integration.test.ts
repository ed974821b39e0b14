import { applyPatch, parsePatch } from 'diff'
import { describe, expect, it } from 'vitest'
import { writeHtml } from './clean-html.ts'
import { readPage } from './content.ts'
import { unifiedDiff } from './diff.ts'
import { imageSource } from './image-source.ts'
import { select } from './select.ts'
import { selectContent } from './select-content.ts'
import { tag } from './tree/names.ts'
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

  it('replaces a block and says so where lines cannot be compared in time', () => {
    const { files, text } = unifiedDiff(
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

describe('a selector', () => {
  const long = parseHtml('<p a></p>'.repeat(20_000))

  it.each(['~', '+', ' ', '>'])('with a dozen of the combinator %j takes one pass for each', (combinator) => {
    expect(select(long, Array(12).fill('[a]').join(combinator)).ok).toBe(true)
  })

  it('that compares all elements with each other inside brackets is given up', () => {
    expect(select(long, ':not(i ~ p)')).toEqual({ ok: false, reason: 'costly' })
    // The bound holds for all selectors on the page together.
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

describe('a page with too many elements', () => {
  it('says that its end is missing', () => {
    const content = read('<i></i>'.repeat(1_000_001), true)
    content.links()
    expect(content.warnings()).toEqual(['The page has too many elements; the last part of it was left out.'])
  })
})

describe('a page with elements too deep', () => {
  it('warns once that they were moved up', () => {
    const content = read(`${'<div>'.repeat(100_000)}deep`, false)
    expect(content.markdown()).toBe('deep')
    expect(content.html()).toContain('deep')
    expect(content.warnings()).toEqual(['The page nests its elements too deeply; the deepest were moved up.'])
  })
})

describe('cleaned HTML', () => {
  it('is written for a hundred thousand attributes on one element', () => {
    const names = Array.from({ length: 100_000 }, (_, index) => `a${index}`).join(' ')
    const tree = parseHtml(`<p ${names} ${names}>x`)
    const page = { tree, url, base: url, blocked: new Uint8Array(tree.count) }
    const options = { onlyMainContent: false, includeTags: [], excludeTags: [] }
    expect(writeHtml(selectContent(page, options, new Set()))).toBe(`<p ${names}>x</p>`)
  })
})

describe('the source of an image', () => {
  it('is found for each of very many in one picture', () => {
    const tree = parseHtml(`<picture>${'<source>'.repeat(100_000)}${'<img>'.repeat(100_000)}</picture>`)
    const images = [...tree.tags.keys()].filter((node) => tree.tags[node] === tag.img)
    expect(images.map((image) => imageSource(tree, image)).filter((source) => source !== undefined)).toEqual(
      [],
    )
  })
})
