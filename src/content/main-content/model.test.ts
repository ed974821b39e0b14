import { describe, expect, it } from 'vitest'
import { listedTags } from '../tree/names.ts'
import { type Forest, leaf, probability, readModel } from './model.ts'
import weights from './weights.json' with { type: 'json' }

describe('shipped weights', () => {
  it('were trained with the current tag numbers', () => {
    expect(weights.tags).toBe(listedTags.join(' ').trim())
  })

  it('contain validation scores of each data set', () => {
    expect(Object.keys(weights.figures.validation).sort()).toEqual(['aeb', 'traf', 'wcxb'])
  })

  it('throw if the features differ', () => {
    expect(() => readModel({ ...weights, features: weights.features.toReversed() })).toThrow(/other features/)
  })
})

/** Creates a forest of trees that test whether a feature is above 10. Each has two leaf values. */
function createForest(...trees: { feature: number; atMost: number; above: number }[]): Forest {
  return {
    roots: Uint16Array.from(trees, (_, tree) => tree * 3),
    splits: Uint8Array.from(trees.flatMap(({ feature }) => [feature, leaf, leaf])),
    values: Float32Array.from(trees.flatMap(({ atMost, above }) => [10, atMost, above])),
    rights: Uint16Array.from(trees.flatMap((_, tree) => [tree * 3 + 2, 0, 0])),
  }
}

const logistic = (sum: number) => 1 / (1 + Math.exp(-sum))

describe('probability', () => {
  it('takes the "at most" branch at the threshold, and the other one above it', () => {
    const forest = createForest({ feature: 0, atMost: -1, above: 2 })
    expect(probability(forest, Float32Array.of(10))).toBeCloseTo(logistic(-1))
    expect(probability(forest, Float32Array.of(10.5))).toBeCloseTo(logistic(2))
  })

  it('adds the leaf values of all trees', () => {
    const forest = createForest({ feature: 0, atMost: -1, above: 2 }, { feature: 1, atMost: 0.5, above: 3 })
    expect(probability(forest, Float32Array.of(11, 0))).toBeCloseTo(logistic(2.5))
    expect(probability(forest, Float32Array.of(0, 11))).toBeCloseTo(logistic(2))
  })

  it('follows nested splits', () => {
    const forest: Forest = {
      roots: Uint16Array.of(0),
      splits: Uint8Array.of(0, 1, leaf, leaf, leaf),
      values: Float32Array.of(0, 0, 1, 2, 3),
      rights: Uint16Array.of(4, 3, 0, 0, 0),
    }
    const sums = [Float32Array.of(0, 0), Float32Array.of(0, 1), Float32Array.of(1, 1)]
    expect(sums.map((row) => probability(forest, row))).toEqual([1, 2, 3].map(logistic))
  })

  it('returns 0.5 without a score', () => {
    expect(probability(createForest(), Float32Array.of(1))).toBe(0.5)
    expect(probability(createForest({ feature: 0, atMost: 0, above: 0 }), Float32Array.of(1))).toBe(0.5)
  })

  it('stops early if the first trees have decided', () => {
    const createTree = (value: number) => ({ feature: 0, atMost: value, above: value })
    const certain = createForest(...Array.from({ length: 40 }, () => createTree(0.2)), createTree(-100))
    const uncertain = createForest(...Array.from({ length: 40 }, () => createTree(0.05)), createTree(-100))
    expect(probability(certain, Float32Array.of(0))).toBeGreaterThan(0.99)
    expect(probability(uncertain, Float32Array.of(0))).toBeLessThan(0.01)
  })
})
