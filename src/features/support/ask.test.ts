import { describe, expect, it } from 'vitest'
import { splitStatements } from './ask.ts'

describe('splitStatements', () => {
  it.each([
    ['The table is empty. Is it a cache problem?', 'The table is empty.'],
    ['No pages come back, maybe robots.txt forbids it.', 'No pages come back,'],
    ['Both pages fail. They blocked us, right?', 'Both pages fail.'],
    ['The title is gone. JavaScript?', 'The title is gone.'],
    ['I think it is the proxy. All calls fail.', 'All calls fail.'],
  ])('removes guesses: %s', (question, stated) => {
    expect(splitStatements(question)).toBe(stated)
  })

  it.each([
    'Why are there only question marks?',
    'Is it possible to crawl a site behind a login?',
    'Do you know why I get 429 from SCRAPE_TIMEOUT?',
    'Where is the price?',
  ])('returns the full question: %s', (question) => {
    expect(splitStatements(question)).toBe(question)
  })

  it('is fast for long input', () => {
    expect(splitStatements('is it, or '.repeat(50_000)).length).toBeGreaterThan(0)
    expect(splitStatements(' '.repeat(200_000))).toBe('')
  })
})
