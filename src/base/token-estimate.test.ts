import { describe, expect, it } from 'vitest'
import { cutToTokens, estimateTokens } from './token-estimate.ts'

describe('an estimate of tokens', () => {
  it.each([
    ['', 0],
    ['harbour!', 2],
    ['гавань', 3],
    ['港口', 2],
  ])('counts %j as %i', (text, tokens) => {
    expect(estimateTokens(text)).toBe(tokens)
  })

  it.each(['a harbour in the south', 'гавань на юге', '南方的港口', '⚓️🛳️ ships'])(
    'cuts %j to what it counts',
    (text) => {
      for (let tokens = 0; tokens <= estimateTokens(text); tokens++)
        expect(estimateTokens(cutToTokens(text, tokens))).toBeLessThanOrEqual(tokens)
      expect(cutToTokens(text, estimateTokens(text))).toBe(text)
    },
  )

  it('cuts no sign in half', () => {
    expect(cutToTokens('🛳🛳', 3)).toBe('🛳')
  })
})
