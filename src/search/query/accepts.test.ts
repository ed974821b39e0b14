import { describe, expect, it } from 'vitest'
import { accepts, contains, type Found } from './accepts.ts'
import { parseQuery } from './query.ts'

const page: Found = {
  url: 'https://docs.example.com/guide/Harbour.pdf?x=1',
  title: 'Harbour guide: tides and moorings',
  text: 'The tide turns at noon. Moorings are free on weekdays.',
}
const image: Found = { url: 'https://example.com/', title: 'A boat', imageWidth: 1920, imageHeight: 1080 }

describe('a result', () => {
  it.each([
    'anything at all',
    '"the tide turns"',
    '"THE  TIDE, turns"',
    'site:example.com',
    'site:docs.example.com/guide',
    'site:com',
    'site:other.com OR site:example.com',
    'filetype:pdf',
    'inurl:guide',
    'inurl:harbour',
    'intitle:tides',
    'intitle:"tides and moorings"',
    'allintitle: harbour moorings',
    '-site:other.com',
    '-"free on sundays"',
    '-intitle:prices',
    'noon OR midnight',
    'related:example.com',
  ])('is accepted by %j', (text) => {
    expect(accepts(parseQuery(text), page)).toBe(true)
  })

  it.each([
    '"tide noon"',
    '"he tide"',
    'site:ample.com',
    'site:docs.example.com/gui',
    'filetype:doc',
    'inurl:blog',
    'intitle:prices',
    'intitle:tide',
    '-site:example.com',
    '-moorings',
    '-"turns at noon"',
    '-filetype:pdf',
    'midnight OR dawn',
  ])('is refused by %j', (text) => {
    expect(accepts(parseQuery(text), page)).toBe(false)
  })

  it.each([
    ['imagesize:1920x1080', true],
    ['imagesize:1080x1920', false],
    ['larger:1280x720', true],
    ['larger:1920x1080', false],
    ['larger:2000x100', false],
    ['-larger:1280x720', false],
  ])('that is an image: %j', (text, isAccepted) => {
    expect(accepts(parseQuery(text), image)).toBe(isAccepted)
  })

  it('is kept where it does not say enough to be refused', () => {
    const snippet = { url: 'https://example.com/', title: 'Harbour' }
    expect(accepts(parseQuery('"the tide turns"'), snippet)).toBe(true)
    expect(accepts(parseQuery('-"the tide turns"'), snippet)).toBe(true)
  })

  it('is no image of a size that it does not say', () => {
    expect(accepts(parseQuery('larger:800x600'), { url: 'https://example.com/' })).toBe(false)
  })
})

describe('words in a text', () => {
  it.each([
    ['東京の天気は晴れです', '天気', true],
    ['สวัสดีชาวโลก', 'ชาวโลก', true],
    ['Straße', 'STRASSE', false],
    ['ﬁne ｆｏｎｔ', 'fine font', true],
    ['state-of-the-art', 'state of the art', true],
  ])('%j and %j', (text, words, isInside) => {
    expect(contains(text, words)).toBe(isInside)
  })
})
