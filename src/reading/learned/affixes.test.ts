import { describe, expect, it } from 'vitest'
import { type Affixes, withoutAffixes, withTitle } from './affixes.ts'

const learned = (titles: string[]) =>
  titles.reduce<Affixes | undefined>((known, title, page) => withTitle(known, title, page), undefined)

describe('titles of pages alike', () => {
  it.each([
    ['a numbered beginning', ['Lot 12: Harbour', 'Lot 7: Winter', 'Lot 300: Pears'], 'Lot 41: Dusk', 'Dusk'],
    ['an end', ['Harbour | Gavel', 'Winter | Gavel', 'Pears | Gavel'], 'Dusk | Gavel', 'Dusk'],
    ['both', ['A – Red - Shop', 'A – Blue - Shop', 'A – Green - Shop'], 'A – Old-Rose - Shop', 'Old-Rose'],
  ])('lose %s', (_, titles, title, own) => {
    const affixes = learned(titles)
    expect(affixes && withoutAffixes(title, affixes)).toBe(own)
  })

  it.each([
    ['before three pages', ['Lot 1: A', 'Lot 2: B'], 'Lot 3: C'],
    ['words without a separator', ['The Red Hat', 'The Blue Hat', 'The Green Hat'], 'The Old Hat'],
    ['a separator that not all have', ['Lot 1: A', 'B', 'Lot 3: C'], 'Lot 4: D'],
    ['all of a title', ['Home | Shop', 'Home | Shop', 'Home | Shop'], 'Shop'],
  ])('do not lose %s', (_, titles, title) => {
    const affixes = learned(titles)
    expect(affixes && withoutAffixes(title, affixes)).toBeUndefined()
  })

  it('count a page once', () => {
    const once = withTitle(undefined, 'Lot 1: A', 1)
    expect(withTitle(once, 'Lot 1: A', 1)).toEqual(once)
  })
})
