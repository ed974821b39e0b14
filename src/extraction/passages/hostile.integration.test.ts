import { describe, expect, it } from 'vitest'
import { loadLanguage } from '../text/languages.ts'
import { findPassages, maxCandidates } from './find-passages.ts'
import { pageSentences, textBlocks } from './markdown-blocks.ts'
import { summarise } from './summarise.ts'

const language = { ...(await loadLanguage('en')), code: 'en' }
const inline = ['[', '![', '](', '[](', '![](a)', '![![](x)](', '*', '*a', '`', '`a``', '<', '\\', '|']
const lines = ['# ', '- ', '1. ', '> ', '> - ', '\n', 'a\n', '| a |\n', ': a\n', 'a: b\n: c\n']

// Linear work takes seconds on a busy machine, other work hours. The timeout only distinguishes the two.
describe('a hostile page', { timeout: 120_000 }, () => {
  it.each([...inline, ...lines])('of repeated %j is split into blocks', (part) => {
    expect(textBlocks(part.repeat(300_000 / part.length)).length).toBeLessThanOrEqual(300_000)
  })

  it('of one long heading or row has one block', () => {
    expect(textBlocks(`# a${' '.repeat(300_000)}b`)).toHaveLength(1)
    expect(textBlocks(`|${'-'.repeat(300_000)}`)).toHaveLength(1)
  })

  it.each([
    ['5 MB without a full stop', 'a tide '.repeat(715_000)],
    ['5 MB of one word', 'a'.repeat(5_000_000)],
    [
      '100,000 sentences',
      Array.from({ length: 100_000 }, (_, at) => `The tide number ${at} turns at noon.`).join(' '),
    ],
    ['100,000 paragraphs', 'The tide turns at noon today.\n\n'.repeat(100_000)],
    [
      '100,000 headings',
      Array.from({ length: 100_000 }, (_, at) => `${'#'.repeat(1 + (at % 6))} Tide ${at}`).join('\n'),
    ],
  ])('of %s has few candidates', (_, markdown) => {
    const page = pageSentences(markdown, language)
    const { candidates } = findPassages(page, 'When does the tide turn?', language)
    expect(page.isCut).toBe(true)
    expect(candidates.length).toBeLessThanOrEqual(maxCandidates)
    expect(summarise(page, { title: 'Tides', description: '' }, language).length).toBeLessThan(10_000)
  })
})
