import { describe, expect, it } from 'vitest'
import { dimensions, similarity, vectorOf } from './vector.ts'

const piece = (...values: number[]) => Float32Array.from({ length: dimensions }, (_, at) => values[at] ?? 0)
const both = (one: Float32Array, other: Float32Array) => Float32Array.from([...one, ...other])

describe('a vector', () => {
  it('is the mean of the pieces, as bytes of its own scale', () => {
    const vector = vectorOf(both(piece(0.2, -0.1, 0), piece(0.2, -0.3, 0.1)))
    expect(vector).toHaveLength(dimensions)
    expect([...vector.slice(0, 4)]).toEqual([127, -127, 32, 0])
  })

  it('of nothing is like no other', () => {
    expect(similarity(vectorOf(piece()), vectorOf(piece(1)))).toBe(0)
  })

  it('is compared by its direction alone', () => {
    const one = vectorOf(piece(1, 2, 3))
    expect(similarity(one, vectorOf(piece(0.01, 0.02, 0.03)))).toBeCloseTo(1)
    expect(similarity(one, vectorOf(piece(-1, -2, -3)))).toBeCloseTo(-1)
    expect(similarity(one, vectorOf(piece(3, 0, -1)))).toBeCloseTo(0, 2)
  })
})
