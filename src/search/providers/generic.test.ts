import { describe, expect, it } from 'vitest'
import { findResults } from './generic.ts'

const one = { url: 'https://example.com/', title: 'One' }

describe('results in JSON of unknown shape', () => {
  it.each([
    [[one]],
    [{ results: [one] }],
    [{ response: { found: { list: [one] } } }],
    [{ error: null, results: [one] }],
    [{ deep: { related: [{ link: 'https://example.org/', name: 'Other' }] }, results: [{ x: 1 }, one] }],
    [{ data: [{ section: 'web', entries: [one] }] }],
  ])('are found: %j', (answer) => {
    expect(findResults(answer)).toMatchObject([one])
  })

  it.each([[[]], [{ results: [] }], [{ data: { items: [] } }]])('are none: %j', (answer) => {
    expect(findResults(answer)).toEqual([])
  })

  it.each([
    [null],
    ['text'],
    [{}],
    [{ suggestions: [] }],
    [{ results: [{ id: 1 }], web: [] }],
    [{ results: null }],
    [['https://example.com/']],
  ])('are not known: %j', (answer) => {
    expect(() => findResults(answer)).toThrow(expect.objectContaining({ problem: 'changed' }))
  })

  it.each([[{ error: 'bad key' }], [{ error: { message: 'bad key' }, results: [one] }]])(
    'are an error: %j',
    (answer) => {
      expect(() => findResults(answer)).toThrow(/bad key/)
    },
  )

  it('are not looked for without end', () => {
    let deep: unknown = [one]
    for (let level = 0; level < 20_000; level++) deep = [deep]
    expect(() => findResults(deep)).toThrow(expect.objectContaining({ problem: 'changed' }))
  })
})
