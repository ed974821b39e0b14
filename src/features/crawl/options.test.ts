import { describe, expect, it } from 'vitest'
import { addWarnings } from './crawl-summary.ts'
import { decideOptions, shownOptions, storedOptions } from './options.ts'
import { crawlRequest } from './schema.ts'

const requestOf = (options: object = {}) => crawlRequest.parse({ url: 'https://site.example', ...options })

/** As the version before wrote it. */
const before =
  '{"url":"https://site.example/","includePaths":["blog/.*"],"excludePaths":[],"regexOnFullURL":false,"sitemap":"include","ignoreQueryParameters":false,"deduplicateSimilarURLs":true,"limit":50,"crawlEntireDomain":false,"allowExternalLinks":false,"removeRepeatedContent":false,"allowSubdomains":false,"ignoreRobotsTxt":false,"robotsUserAgent":"WinnowBot","scrapeOptions":{"formats":[{"type":"markdown"},{"type":"screenshot","fullPage":true}],"onlyMainContent":true,"onlyCleanContent":false,"includeTags":["main",".a > b"],"excludeTags":["nav"],"headers":{"cookie":"a=1"},"waitFor":0,"mobile":false,"skipTlsVerification":true,"timeout":60000,"actions":[{"type":"wait","milliseconds":100},{"type":"click","selector":"#a","all":false}],"location":{"country":"DE","languages":["de"]},"removeBase64Images":true,"blockAds":true,"proxy":"auto","lockdown":false,"fastMode":false},"startLeftOut":"include paths","home":"https://www.site.example/"}'

describe('the options of a crawl', () => {
  it('are what the caller gave, then what a prompt asks for, then the defaults', () => {
    const options = decideOptions(requestOf({ limit: 3, sitemap: 'skip' }), {
      limit: 5,
      maxDiscoveryDepth: 1,
    })
    expect(options).toMatchObject({ url: 'https://site.example/', limit: 3, sitemap: 'skip' })
    expect(options).toMatchObject({ maxDiscoveryDepth: 1, deduplicateSimilarURLs: true, includePaths: [] })
    expect(decideOptions(requestOf(), {})).toMatchObject({ limit: 10_000, sitemap: 'include' })
  })

  it('start where the request says, whatever a prompt says', () => {
    const prompted = { url: 'https://other.example/', limit: 5 }
    expect(decideOptions(requestOf(), prompted).url).toBe('https://site.example/')
  })

  it('are read as they were decided', () => {
    const request = requestOf({
      excludePaths: ['a'],
      delay: 0.5,
      scrapeOptions: { formats: ['links', 'html'] },
    })
    const options = decideOptions(request, {})
    expect(storedOptions.read(storedOptions.write(options))).toEqual(options)
  })

  it('are read as the version before wrote them', () => {
    expect(storedOptions.read(before)).toEqual(JSON.parse(before))
  })

  it('are read where a later version has added to them, and where they were written before an option came', () => {
    const { removeRepeatedContent: _, ...older } = JSON.parse(before)
    expect(storedOptions.read(JSON.stringify(older)).removeRepeatedContent).toBe(false)
    const newer = JSON.stringify({ ...JSON.parse(before), later: 1 })
    expect(storedOptions.read(newer)).toHaveProperty('later', 1)
  })

  it('name their column where they are damaged', () => {
    expect(() => storedOptions.read(before.slice(0, -1))).toThrow('crawls.options')
    expect(() => storedOptions.read(before.replace('"limit":50', '"limit":"50"'))).toThrow('crawls.options')
  })

  it('are shown without secrets, and without what only the crawl needs', () => {
    const shown = shownOptions(storedOptions.read(before))
    expect(shown).toMatchObject({ limit: 50, scrapeOptions: { location: { country: 'DE' } } })
    for (const name of ['url', 'home', 'startLeftOut']) expect(shown).not.toHaveProperty(name)
    expect(shown.scrapeOptions).not.toHaveProperty('headers')
  })
})

describe('the notes of a crawl', () => {
  it('are kept once, and the first fifty of them', () => {
    expect(addWarnings('["a"]', ['b', 'a', 'b'])).toBe('["a","b"]')
    const many = Array.from({ length: 60 }, (_, index) => `${index}`)
    expect(JSON.parse(addWarnings('["a"]', many))).toEqual(['a', ...many.slice(0, 49)])
    expect(() => addWarnings('{}', ['a'])).toThrow('crawls.notes')
  })
})
