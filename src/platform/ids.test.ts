import { describe, expect, it } from 'vitest'
import { isUuid, newId } from './ids.ts'

describe('newId', () => {
  it('returns a UUID version 7', () => {
    const id = newId()
    expect(isUuid(id)).toBe(true)
    expect(id[14]).toBe('7')
    expect('89ab').toContain(id[19])
  })

  it('returns unique ids that sort by creation, also within one millisecond', () => {
    const ids = Array.from({ length: 50_000 }, () => newId())
    expect(ids).toEqual(ids.toSorted())
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('returns ids in order even if the clock goes back', () => {
    const later = newId(Date.now() + 1000)
    expect(newId(Date.now()) > later).toBe(true)
  })
})
