import { describe, expect, it } from 'vitest'
import { lossesOf } from '../../../test/markdown/chunk-losses.ts'
import { chunksOf } from './chunks.ts'
import { countTokens } from './tokens.ts'

const cut = (markdown: string, size = 64, overlap = 0) => chunksOf(markdown, [], { size, overlap })
const sentence = (number: number) =>
  `The lamp of tower ${number} burned until dawn and nobody came to see it.`
const sentences = (count: number) => Array.from({ length: count }, (_, index) => sentence(index)).join(' ')

describe('chunks', () => {
  it('are one for a page that fits', () => {
    const markdown = '# Lamps\n\nShort.\n\n## Oil\n\nShorter.'
    expect(cut(markdown).chunks).toEqual([
      { text: markdown, headings: ['Lamps'], start: 0, end: markdown.length, tokens: countTokens(markdown) },
    ])
  })

  it('begin at headings, with the path of titles to them and the nearest name', () => {
    const parts = [
      '# Lamps',
      sentences(3),
      '## Oil',
      '### Wick',
      sentences(3),
      '## `Gas` lamps',
      sentences(1),
    ]
    const markdown = parts.join('\n\n')
    const anchors = [
      { at: 0, id: 'top' },
      { at: markdown.indexOf('## Oil'), id: 'oil' },
    ]
    const { chunks } = chunksOf(markdown, anchors, { size: 64, overlap: 0 })
    expect(chunks.map(({ headings, anchor, text }) => [headings, anchor, text.split('\n')[0]])).toEqual([
      [['Lamps'], 'top', '# Lamps'],
      [['Lamps', 'Oil', 'Wick'], 'oil', '## Oil'],
      [['Lamps', 'Gas lamps'], 'top', '## `Gas` lamps'],
    ])
  })

  it('keep a section with its subsections while they fit, under the path of all of them', () => {
    const markdown = `# A\n\n${sentences(3)} And more of it.\n\n## B\n\n### C\n\nc\n\n### D\n\nd`
    const { chunks } = cut(markdown)
    expect(chunks.map(({ headings }) => headings)).toEqual([['A'], ['A', 'B']])
  })

  it('cut a long text between sentences, and a long word anywhere but in a character', () => {
    const { chunks } = cut(sentences(20))
    for (const { text, tokens } of chunks) {
      expect(text).toMatch(/^The lamp.*it\.$/s)
      expect(tokens).toBeLessThanOrEqual(64)
    }
    const word = '😀'.repeat(400)
    const parts = cut(word).chunks.map(({ text }) => text)
    expect(parts.join('')).toBe(word)
    for (const part of parts) expect(part.isWellFormed()).toBe(true)
  })

  it('keep what is never cut whole, alone behind its heading, and say so', () => {
    const table = `| n |\n| - |\n${Array.from({ length: 50 }, (_, row) => `| ${sentence(row)} |`).join('\n')}`
    const { chunks } = cut(`# A\n\n${sentence(1)}\n\n## T\n\n${table}\n\n${sentence(2)}`)
    expect(chunks.map(({ text, oversize }) => [text.slice(0, 4), oversize])).toEqual([
      ['# A\n', undefined],
      ['## T', true],
      ['The ', undefined],
    ])
  })

  it('repeat whole sentences or blocks of the chunk before, within a section', () => {
    const markdown = `# A\n\n${sentences(20)}\n\n# B\n\n${Array.from({ length: 20 }, (_, row) => `- ${sentence(row)}`).join('\n')}`
    const { chunks } = cut(markdown, 64, 20)
    expect(lossesOf(markdown, chunks)).toEqual([])
    for (const [index, { text, overlap, tokens }] of chunks.entries()) {
      expect(tokens).toBeLessThanOrEqual(64)
      if (text.startsWith('#')) expect(overlap).toBeUndefined()
      else {
        const repeated = text.slice(0, overlap).trim()
        expect(repeated).toMatch(
          /^(?:- )?The lamp of tower \d+ burned until dawn and nobody came to see it\.$/,
        )
        expect(chunks[index - 1]?.text.endsWith(repeated)).toBe(true)
      }
    }
  })

  it('put headings without a text to what follows them', () => {
    const headings = Array.from({ length: 40 }, (_, index) => `## Lamp ${index}`).join('\n\n')
    const { chunks } = cut(`# All\n\n${headings}\n\ntext`)
    expect(chunks.length).toBeLessThan(8)
    expect(chunks.at(-1)?.text).toContain('## Lamp 39\n\ntext')
    expect(chunks.at(-1)?.headings).toEqual(['All', 'Lamp 39'])
  })

  it('are none for nothing', () => {
    expect(cut('')).toEqual({ chunks: [], tokens: 0 })
    expect(cut('\n \n').chunks).toEqual([])
  })
})
