import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { maxNameBuckets, wordBucket, writeNameBuckets } from './class-name-features.ts'

function buckets(html: string): number[] {
  const found = new Int32Array(maxNameBuckets)
  const count = writeNameBuckets(parseHtml(html), 1, found)
  return [...found.subarray(0, count)]
}

describe('nameBuckets', () => {
  it('returns only the tag for an element without names', () => {
    expect(buckets('<nav data-name=menu></nav>')).toHaveLength(1)
    expect(buckets('<nav></nav>')).not.toEqual(buckets('<div></div>'))
  })

  it('returns the words of class and id, with any separator', () => {
    for (const html of ['<div class="post-body">', '<div id=postBody>', '<div class="Body x_post">']) {
      expect(buckets(html)).toEqual(expect.arrayContaining([wordBucket('post'), wordBucket('body')]))
    }
  })

  it('also returns each compound name', () => {
    const [parts, separate] = [buckets('<div class="post-body">'), buckets('<div class="post body">')]
    expect(parts).toHaveLength(separate.length + 1)
    expect(parts).toEqual(expect.arrayContaining(separate))
  })

  it('distinguishes a role from a class with the same word', () => {
    expect(buckets('<div role=main>')).not.toContain(wordBucket('main'))
    expect(buckets('<div class=main>')).toContain(wordBucket('main'))
  })

  it('reads values with character references', () => {
    expect(buckets('<div class="post&#45;body">')).toEqual(buckets('<div class="post-body">'))
  })

  it('returns at most maxNameBuckets buckets', () => {
    expect(buckets(`<div class="${'a-b '.repeat(1000)}" id=x>`).length).toBeLessThanOrEqual(maxNameBuckets)
  })
})
