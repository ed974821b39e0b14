import { describe, expect, it } from 'vitest'
import { generators } from './generators/corpus.ts'
import { outcomeOf, readOpen } from './generators/open.ts'

const open = readOpen()

describe('pages of generators', () => {
  it.each(generators)('give what stands in the source and nothing around it: %s', (generator) => {
    const { count, failed } = outcomeOf(generator)
    const known = open[generator] ?? []
    console.log(`${generator}: ${count - failed.length} of ${count} expectations hold`)
    expect(
      failed.filter((wish) => !known.includes(wish)),
      'not held',
    ).toEqual([])
    expect(
      known.filter((wish) => !failed.includes(wish)),
      'held by now: node test/corpus/generators/open.ts',
    ).toEqual([])
  })
})
