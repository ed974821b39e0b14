import { describe, expect, it } from 'vitest'
import { safeJson, safeLine, safeText } from './safe-text.ts'

const reorderingCharacters = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u206a\u206f']
const directionCharacters = [...'\u200e\u200f\u061c']
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/

describe('untrusted text in a terminal', () => {
  it.each(reorderingCharacters)('replaces %j, so that it cannot reorder text', (character) => {
    expect(safeText(`pay ${character}001 to${character} eve`)).toBe('pay \uFFFD001 to\uFFFD eve')
    expect(safeLine(`a${character}b`)).toBe('a\uFFFDb')
  })

  it.each(directionCharacters)('removes %j', (character) => expect(safeText(`a${character}b`)).toBe('ab'))

  it('shows control characters as visible symbols', () => {
    expect(safeText('a\u001b[31mb\u009b2J\u007f\u0000\n\tc')).toBe('a␛[31mb\uFFFD2J␡␀\n\tc')
  })

  it('does not change right-to-left letters', () => {
    expect(safeText('שלום עולם، مرحبا')).toBe('שלום עולם، مرحبا')
  })
})

describe('JSON in a terminal', () => {
  it('escapes every character that reorders text and keeps the value', () => {
    const value = { [`k${reorderingCharacters.join('')}`]: `v${directionCharacters.join('')}\u001b` }
    const text = safeJson(value)
    expect(text).not.toMatch(bidi)
    expect(JSON.parse(text)).toEqual(value)
  })
})
