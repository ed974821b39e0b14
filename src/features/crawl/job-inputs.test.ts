import { describe, expect, it } from 'vitest'
import { formats } from '../../extraction/formats/index.ts'
import { actions } from '../../fetch/actions/index.ts'
import { scrapeRequest } from '../scrape/schema.ts'
import { pageInput, startInput } from './job-inputs.ts'

const url = 'https://site.example/'
const crawl = { depth: 2, isExternal: false, notBefore: 0, home: 'https://www.site.example/' }

/** Requests with each format and each action once. */
const requests = [
  ...formats.map(({ name, example = {}, requires = [] }) => ({
    formats: [...requires, { type: name, ...example }],
  })),
  ...actions.map(({ type, example = {} }) => ({ actions: [{ type, ...example }] })),
  { parsers: ['pdf', { type: 'pdf', maxPages: 3 }] },
  {
    location: { country: 'DE', languages: ['de'] },
    profile: { name: 'a' },
    redactPII: { entities: ['EMAIL'] },
  },
  { headers: { cookie: 'a=1' }, integration: null, origin: 'test', maxAge: 0, minAge: 1 },
]

describe('pageInput', () => {
  it.each(requests)('reads back a written request: %j', (options) => {
    const request = { ...scrapeRequest.parse({ url, ...options }), crawl }
    expect(pageInput.read(pageInput.write(request))).toEqual(JSON.parse(JSON.stringify(request)))
  })

  it('omits crawl for a scrape outside of a crawl', () => {
    expect('crawl' in pageInput.read(pageInput.write(scrapeRequest.parse({ url })))).toBe(false)
  })

  it('reads an input with a missing default and an unknown option', () => {
    const { blockAds: _, ...older } = scrapeRequest.parse({ url })
    expect(pageInput.read(JSON.stringify({ ...older, later: 1 }))).toMatchObject({ blockAds: true, later: 1 })
  })

  it.each([['{}'], ['null'], [`{"url":"${url}","crawl":{}}`], [`{"url":"${url}","formats":["markdown"]}`]])(
    'throws an error with the column name for %s',
    (text) => {
      expect(() => pageInput.read(text)).toThrow('jobs.input')
    },
  )
})

describe('startInput', () => {
  it('reads back a written input, and rejects a home that is a number', () => {
    expect(startInput.read('{}')).toEqual({})
    expect(startInput.read(startInput.write({ home: url }))).toEqual({ home: url })
    expect(() => startInput.read('{"home":1}')).toThrow('jobs.input')
  })
})
