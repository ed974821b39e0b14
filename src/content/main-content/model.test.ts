import { describe, expect, it } from 'vitest'
import { listedTags } from '../tree/names.ts'
import { readModel } from './model.ts'
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
