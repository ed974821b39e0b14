import { describe, expect, it } from 'vitest'
import { splitSentences } from './split-sentences.ts'

const english = { code: 'en', stopWords: new Set(['the']) }

// Seconds on a busy machine where the work is linear, hours where it is not: the limit only tells the two apart.
describe('a text that is no text', { timeout: 120_000 }, () => {
  it.each(['a', '. ', 'A. ', '." ', 'Dr. ', '1. ', '! ', '\n', '。', '(', ' ', '… a', '.[1] ', '.[1][a]'])(
    'is split into sentences: %j',
    (part) => {
      const text = part.repeat(1_000_000 / part.length)
      expect(splitSentences(text, english).length).toBeLessThanOrEqual(text.length)
    },
  )
})
