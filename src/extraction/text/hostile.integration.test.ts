import { describe, expect, it } from 'vitest'
import { splitSentences } from './split-sentences.ts'

const english = { code: 'en', stopWords: new Set(['the']) }

// Linear work takes seconds on a busy machine, other work hours. The timeout only distinguishes the two.
describe('splitSentences of a hostile text', { timeout: 120_000 }, () => {
  it.each(['a', '. ', 'A. ', '." ', 'Dr. ', '1. ', '! ', '\n', '。', '(', ' ', '… a', '.[1] ', '.[1][a]'])(
    'splits repeated %j into sentences',
    (part) => {
      const text = part.repeat(1_000_000 / part.length)
      expect(splitSentences(text, english).length).toBeLessThanOrEqual(text.length)
    },
  )
})
