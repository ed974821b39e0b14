import { describe, expect, it } from 'vitest'
import { findResults } from './generic.ts'

const result = { url: 'https://example.com/', title: 'One' }

describe('findResults', () => {
  it.each([
    [[result]],
    [{ results: [result] }],
    [{ response: { found: { list: [result] } } }],
    [{ error: null, results: [result] }],
    [{ deep: { related: [{ link: 'https://example.org/', name: 'Other' }] }, results: [{ x: 1 }, result] }],
    [{ data: [{ section: 'web', entries: [result] }] }],
  ])('finds the results in %j', (body) => {
    expect(findResults(body)).toMatchObject([result])
  })

  it.each([[[]], [{ results: [] }], [{ data: { items: [] } }]])('returns an empty list for %j', (body) => {
    expect(findResults(body)).toEqual([])
  })

  it.each([
    [null],
    ['text'],
    [{}],
    [{ suggestions: [] }],
    [{ results: [{ id: 1 }], web: [] }],
    [{ results: null }],
    [['https://example.com/']],
  ])('throws the problem "changed" for %j', (body) => {
    expect(() => findResults(body)).toThrow(expect.objectContaining({ problem: 'changed' }))
  })

  it.each([[{ error: 'bad key' }], [{ error: { message: 'bad key' }, results: [result] }]])(
    'throws the error in %j',
    (body) => {
      expect(() => findResults(body)).toThrow(/bad key/)
    },
  )

  it('stops after a maximum number of values', () => {
    let deep: unknown = [result]
    for (let level = 0; level < 20_000; level++) deep = [deep]
    expect(() => findResults(deep)).toThrow(expect.objectContaining({ problem: 'changed' }))
  })
})
