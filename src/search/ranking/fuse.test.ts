import { describe, expect, it } from 'vitest'
import { fuse } from './fuse.ts'

const order = (...candidates: [name: string, score: number, similarity?: number][]) =>
  fuse(candidates.map(([name, score, similarity]) => ({ name, score, similarity })))
    .map(({ name }) => name)
    .join('')

describe('words and meaning', () => {
  it('count both', () => {
    expect(order(['a', 10, 0.1], ['b', 6, 0.7], ['c', 2, 0.2])).toBe('bac')
    expect(order(['a', 10, 0.5], ['b', 3, 0.6])).toBe('ab')
    expect(order(['a', 10, -0.9], ['b', 9, -0.1])).toBe('ab')
  })

  it('leave those in their place whose meaning is not known', () => {
    expect(order(['a', 10], ['b', 6, 0.1], ['c', 5], ['d', 4, 0.9], ['e', 3])).toBe('adcbe')
  })

  it('change nothing where nothing is known, or all mean the same', () => {
    expect(order(['a', 10], ['b', 6])).toBe('ab')
    expect(order(['a', 10, 0.5], ['b', 6, 0.5], ['c', 6, 0.5])).toBe('abc')
    expect(order()).toBe('')
  })
})
