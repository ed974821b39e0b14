import { describe, expect, it } from 'vitest'
import { safeJson, safeLine, safeText } from './safe-text.ts'

const scoped = [...'\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u206a\u206f']
const marks = [...'\u200e\u200f\u061c']
const bidi = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u206f]/

describe('text of others in a terminal', () => {
  it.each(scoped)('shows %j as a sign, so that it cannot reorder text', (sign) => {
    expect(safeText(`pay ${sign}001 to${sign} eve`)).toBe('pay \uFFFD001 to\uFFFD eve')
    expect(safeLine(`a${sign}b`)).toBe('a\uFFFDb')
  })

  it.each(marks)('leaves out %j', (sign) => expect(safeText(`a${sign}b`)).toBe('ab'))

  it('shows control characters as pictures', () => {
    expect(safeText('a\u001b[31mb\u009b2J\u007f\u0000\n\tc')).toBe('a␛[31mb\uFFFD2J␡␀\n\tc')
  })

  it('keeps right-to-left letters as they are', () => {
    expect(safeText('שלום עולם، مرحبا')).toBe('שלום עולם، مرحبا')
  })
})

describe('JSON in a terminal', () => {
  it('escapes every character that reorders text, and means the same', () => {
    const value = { [`k${scoped.join('')}`]: `v${marks.join('')}\u001b` }
    const text = safeJson(value)
    expect(text).not.toMatch(bidi)
    expect(JSON.parse(text)).toEqual(value)
  })
})
