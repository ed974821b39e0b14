import { describe, expect, it } from 'vitest'
import { causes } from './case.ts'
import { supportCases } from './cases/all.ts'
import { mergeParameters } from './merged.ts'
import { sentencesOf } from './sentences.ts'

const { development, 'kept-back': keptBack } = supportCases

describe('the cases', () => {
  it.each(Object.entries(supportCases))('cover every cause: %s', (_, cases) => {
    const present = new Set(cases.map(({ cause }) => cause))
    expect(causes.filter((cause) => !present.has(cause))).toEqual([])
  })

  it('have unique names', () => {
    const names = [...development, ...keptBack].map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
  })
})

describe('mergeParameters()', () => {
  it('merges objects, replaces other values, and removes options with null', () => {
    const request = { url: 'u', tags: ['a'], minAge: 5, scrapeOptions: { timeout: 1, mobile: true } }
    const parameters = { tags: [], minAge: null, scrapeOptions: { timeout: 2 } }
    expect(mergeParameters(request, parameters)).toEqual({
      ...{ url: 'u', tags: [] },
      scrapeOptions: { timeout: 2, mobile: true },
    })
  })
})

describe('sentencesOf()', () => {
  it('does not split at full stops in code, URLs and numbers', () => {
    const answer =
      'The page at https://a.example/x.html took 7.5 s. Set `timeout: 30000. Then` it works! See docs/self-hosting.md.'
    expect(sentencesOf(answer)).toHaveLength(3)
  })
})
