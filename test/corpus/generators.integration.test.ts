import { describe, expect, it } from 'vitest'
import { generators } from './generators/corpus.ts'
import { outcomeOf } from './generators/outcome.ts'

describe('pages of generators', () => {
  it.each(generators)('return the content of the source and nothing around it: %s', (generator) => {
    const { count, failed } = outcomeOf(generator)
    console.log(`${generator}: ${count - failed.length} of ${count} expectations hold`)
    expect(failed).toEqual([])
  })
})
