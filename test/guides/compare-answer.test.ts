import { describe, expect, it } from 'vitest'
import { differences, shortenLike } from './compare-answer.ts'

const id = '01a1e7bd-ed9c-7739-9619-6219c04716aa'

describe('the response that a page shows', () => {
  it.each([
    ['is the one that came', { a: [1, 'x', null] }, { a: [1, 'x', null] }],
    ['leaves fields out where it says so', { a: 1, '…': '…' }, { a: 1, b: 2 }],
    [
      'leaves entries out where it says so, in any order',
      { a: [{ b: 2 }, '…'] },
      { a: [{ b: 1 }, { b: 2 }] },
    ],
    ['may break off a text', { a: 'One…' }, { a: 'One and two' }],
    [
      'has other ids, times and tokens',
      { a: id, b: 'ws://x/?token=…' },
      { a: id.replaceAll('7', '8'), b: 'ws://x/?token=y' },
    ],
    ['has other durations', { tookMs: 3 }, { tookMs: 400 }],
  ])('%s', (_, expected, actual) => {
    expect(differences(expected, actual)).toEqual([])
  })

  it.each([
    ['another value', { a: 1 }, { a: 2 }],
    ['another type', { a: 1 }, { a: '1' }],
    ['a field that did not come', { a: 1, '…': '…' }, { b: 1 }],
    ['a field less', { a: 1 }, { a: 1, b: 2 }],
    ['an entry less', [1], [1, 2]],
    ['an entry that did not come', [3, '…'], [1, 2]],
    ['another text', { a: 'One…' }, { a: 'Two' }],
    ['a text in place of an id', { a: id }, { a: 'none' }],
    ['a list in place of an object', { a: {} }, { a: [] }],
  ])('is wrong with %s', (_, expected, actual) => {
    expect(differences(expected, actual)).toHaveLength(1)
  })

  it('is written from the actual response, shortened as before', () => {
    const actual = { a: [{ b: 2, c: 3 }], d: 'One and two', e: 5 }
    expect(shortenLike({ a: [{ b: 1, '…': '…' }], d: 'One…', '…': '…' }, actual)).toEqual({
      ...{ a: [{ b: 2, '…': '…' }], d: 'One…', '…': '…' },
    })
    expect(shortenLike({}, actual)).toEqual(actual)
  })
})
