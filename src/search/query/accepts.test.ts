import { describe, expect, it } from 'vitest'
import { accepts, contains, type SearchableText } from './accepts.ts'
import { parseQuery } from './query.ts'

const page: SearchableText = {
  url: 'https://docs.example.com/guide/Harbour.pdf?x=1',
  title: 'Harbour guide: tides and moorings',
  text: 'The tide turns at noon. Moorings are free on weekdays.',
}
const image: SearchableText = {
  url: 'https://example.com/',
  title: 'A boat',
  imageWidth: 1920,
  imageHeight: 1080,
}

describe('accepts', () => {
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
  ])('returns true for a page that matches %j', (text) => {
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
  ])('returns false for a page that does not match %j', (text) => {
    expect(accepts(parseQuery(text), page)).toBe(false)
  })

  it.each([
    ['imagesize:1920x1080', true],
    ['imagesize:1080x1920', false],
    ['larger:1280x720', true],
    ['larger:1920x1080', false],
    ['larger:2000x100', false],
    ['-larger:1280x720', false],
  ])('checks the size of an image for %j', (text, isAccepted) => {
    expect(accepts(parseQuery(text), image)).toBe(isAccepted)
  })

  it('returns true for a snippet without the text to check', () => {
    const snippet = { url: 'https://example.com/', title: 'Harbour' }
    expect(accepts(parseQuery('"the tide turns"'), snippet)).toBe(true)
    expect(accepts(parseQuery('-"the tide turns"'), snippet)).toBe(true)
  })

  it('returns false for an image of unknown size', () => {
    expect(accepts(parseQuery('larger:800x600'), { url: 'https://example.com/' })).toBe(false)
  })
})

describe('contains', () => {
  it.each([
    ['東京の天気は晴れです', '天気', true],
    ['สวัสดีชาวโลก', 'ชาวโลก', true],
    ['Straße', 'STRASSE', false],
    ['ﬁne ｆｏｎｔ', 'fine font', true],
    ['state-of-the-art', 'state of the art', true],
  ])('searches %j for %j', (text, words, isInside) => {
    expect(contains(text, words)).toBe(isInside)
  })
})
