import { describe, expect, it } from 'vitest'
import { parseHtml } from '../tree/parse.ts'
import { maxNames, nameBuckets, wordBucket } from './class-name-features.ts'

function buckets(html: string): number[] {
  const found = new Int32Array(maxNames)
  const count = nameBuckets(parseHtml(html), 1, found)
  return [...found.subarray(0, count)]
}

describe('the names of an element', () => {
  it('are its tag, when its author gave it no other', () => {
    expect(buckets('<nav data-name=menu></nav>')).toHaveLength(1)
    expect(buckets('<nav></nav>')).not.toEqual(buckets('<div></div>'))
  })

  it('are the words of class and id, however they are joined', () => {
    for (const html of ['<div class="post-body">', '<div id=postBody>', '<div class="Body x_post">']) {
      expect(buckets(html)).toEqual(expect.arrayContaining([wordBucket('post'), wordBucket('body')]))
    }
  })

  it('are also names of several words as a whole', () => {
    const [parts, apart] = [buckets('<div class="post-body">'), buckets('<div class="post body">')]
    expect(parts).toHaveLength(apart.length + 1)
    expect(parts).toEqual(expect.arrayContaining(apart))
  })

  it('are not mixed up with the same word as a role', () => {
    expect(buckets('<div role=main>')).not.toContain(wordBucket('main'))
    expect(buckets('<div class=main>')).toContain(wordBucket('main'))
  })

  it('are read from values with character references too', () => {
    expect(buckets('<div class="post&#45;body">')).toEqual(buckets('<div class="post-body">'))
  })

  it('are not more than there is room for', () => {
    expect(buckets(`<div class="${'a-b '.repeat(1000)}" id=x>`).length).toBeLessThanOrEqual(maxNames)
  })
})
