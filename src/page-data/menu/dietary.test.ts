import { describe, expect, it } from 'vitest'
import { caloriesIn, dietsInWords, dietsOfSchema, marksOf, readMarks } from './dietary.ts'

describe('diets', () => {
  it('are read from words in several languages, unless these deny it', () => {
    expect(dietsInWords('Vegan and gluten-free')).toEqual(['vegan', 'gluten-free'])
    expect(dietsInWords('Quiche végétarienne, sans gluten')).toEqual(['vegetarian', 'gluten-free'])
    expect(dietsInWords('vegetarisches Gulasch')).toEqual(['vegetarian'])
    for (const text of ['not vegan', 'nicht vegetarisch', 'Las Vegas burger'])
      expect(dietsInWords(text)).toEqual([])
  })

  it('are read from marks that are clear, or that the page explains', () => {
    const marks = marksOf(['V = vegetarian, VG: vegan'])
    expect(readMarks('Falafel (VG, GF)', marks)).toEqual({ name: 'Falafel', diets: ['vegan', 'gluten-free'] })
    expect(readMarks('Omelette V', marks)).toEqual({ name: 'Omelette', diets: ['vegetarian'] })
    expect(readMarks('Omelette (V)', marksOf([]))).toEqual({ name: 'Omelette (V)', diets: [] })
    expect(readMarks('Steak (NEW)', marks)).toEqual({ name: 'Steak (NEW)', diets: [] })
  })

  it('are read from the names of schema.org', () => {
    expect(dietsOfSchema(['https://schema.org/VeganDiet', 'HalalDiet', 'MoonDiet'])).toEqual([
      'vegan',
      'halal',
    ])
  })
})

describe('energy', () => {
  it.each([
    ['540 kcal', 540],
    ['about 320 calories', 320],
    ['1250cal', 1250],
    ['5 calamari', undefined],
    ['no number', undefined],
  ])('of %j is %s', (text, calories) => {
    expect(caloriesIn(text)).toBe(calories)
  })
})
