import { describe, expect, it } from 'vitest'
import { chunksOf } from './chunks.ts'

const length = 400_000
const nested = Array.from({ length: 2000 }, (_, depth) => `${' '.repeat(depth)}- a`).join('\n')

/** Each would take minutes if time grew with the square of its length. */
const hostile: [string, string][] = [
  ...[
    'a',
    ' ',
    '\n',
    'a\n',
    '- a\n',
    '# a\n\n',
    '```\n',
    '$$\n',
    '> ',
    '> > a\n',
    '|',
    'a|b\n-|-\n',
    '[',
    '[a](b ',
  ].map((part): [string, string] => [part, part.repeat(length / part.length)]),
  ...['a. ', '漢字。', '😀', 'a\n---\n', '* ', '1. ', '# a\n## b\n### c\n\ntext\n\n'].map(
    (part): [string, string] => [part, part.repeat(length / part.length)],
  ),
  ['nested lists', nested],
]

describe('chunks of hostile Markdown', () => {
  it.each(hostile)('are cut in time: %j', (_, markdown) => {
    const { chunks } = chunksOf(markdown, [], { size: 512, overlap: 128 })
    for (const { start, end, text } of chunks.slice(0, 100)) expect(markdown.slice(start, end)).toBe(text)
  })
})
