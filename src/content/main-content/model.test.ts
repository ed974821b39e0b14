import { describe, expect, it } from 'vitest'
import { listedTags } from '../tree/names.ts'
import { type Forest, leaf, probability, readModel } from './model.ts'
import weights from './weights.json' with { type: 'json' }

describe('the shipped weights', () => {
  it('were learned with the tags numbered as they are now', () => {
    expect(weights.tags).toBe(listedTags.join(' ').trim())
  })

  it('come with what they reach on pages of sites they have not seen, for every set', () => {
    expect(Object.keys(weights.figures.validation).sort()).toEqual(['aeb', 'traf', 'wcxb'])
  })

  it('are refused when they are for other features', () => {
    expect(() => readModel({ ...weights, features: weights.features.toReversed() })).toThrow(/other features/)
  })
})

/** Each tree asks whether a feature is above 10, and answers with one of two values. */
function forestOf(...trees: { feature: number; atMost: number; above: number }[]): Forest {
  return {
    roots: Uint16Array.from(trees, (_, tree) => tree * 3),
    splits: Uint8Array.from(trees.flatMap(({ feature }) => [feature, leaf, leaf])),
    values: Float32Array.from(trees.flatMap(({ atMost, above }) => [10, atMost, above])),
    rights: Uint16Array.from(trees.flatMap((_, tree) => [tree * 3 + 2, 0, 0])),
  }
}

const logistic = (sum: number) => 1 / (1 + Math.exp(-sum))

describe('the forest', () => {
  it('takes the one side at most at the threshold, the other above', () => {
    const forest = forestOf({ feature: 0, atMost: -1, above: 2 })
    expect(probability(forest, Float32Array.of(10))).toBeCloseTo(logistic(-1))
    expect(probability(forest, Float32Array.of(10.5))).toBeCloseTo(logistic(2))
  })

  it('adds what its trees say', () => {
    const forest = forestOf({ feature: 0, atMost: -1, above: 2 }, { feature: 1, atMost: 0.5, above: 3 })
    expect(probability(forest, Float32Array.of(11, 0))).toBeCloseTo(logistic(2.5))
    expect(probability(forest, Float32Array.of(0, 11))).toBeCloseTo(logistic(2))
  })

  it('goes down through splits below splits', () => {
    const forest: Forest = {
      roots: Uint16Array.of(0),
      splits: Uint8Array.of(0, 1, leaf, leaf, leaf),
      values: Float32Array.of(0, 0, 1, 2, 3),
      rights: Uint16Array.of(4, 3, 0, 0, 0),
    }
    const sums = [Float32Array.of(0, 0), Float32Array.of(0, 1), Float32Array.of(1, 1)]
    expect(sums.map((row) => probability(forest, row))).toEqual([1, 2, 3].map(logistic))
  })

  it('says one half when it has nothing to say', () => {
    expect(probability(forestOf(), Float32Array.of(1))).toBe(0.5)
    expect(probability(forestOf({ feature: 0, atMost: 0, above: 0 }), Float32Array.of(1))).toBe(0.5)
  })

  it('does not ask on when the first trees have decided', () => {
    const all = (value: number) => ({ feature: 0, atMost: value, above: value })
    const sure = forestOf(...Array.from({ length: 40 }, () => all(0.2)), all(-100))
    const unsure = forestOf(...Array.from({ length: 40 }, () => all(0.05)), all(-100))
    expect(probability(sure, Float32Array.of(0))).toBeGreaterThan(0.99)
    expect(probability(unsure, Float32Array.of(0))).toBeLessThan(0.01)
  })
})
