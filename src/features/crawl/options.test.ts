import { describe, expect, it } from 'vitest'
import { addWarnings } from './crawl-summary.ts'
import { resolveOptions, storedOptions, toPublicOptions } from './options.ts'
import { crawlRequest } from './schema.ts'

const createRequest = (options: object = {}) =>
  crawlRequest.parse({ url: 'https://site.example', ...options })

/** Options as stored by the previous release. */
const storedByPrevious =
  '{"url":"https://site.example/","includePaths":["blog/.*"],"excludePaths":[],"regexOnFullURL":false,"sitemap":"include","ignoreQueryParameters":false,"deduplicateSimilarURLs":true,"limit":50,"crawlEntireDomain":false,"allowExternalLinks":false,"removeRepeatedContent":false,"allowSubdomains":false,"ignoreRobotsTxt":false,"robotsUserAgent":"WinnowBot","scrapeOptions":{"formats":[{"type":"markdown"},{"type":"screenshot","fullPage":true}],"onlyMainContent":true,"onlyCleanContent":false,"includeTags":["main",".a > b"],"excludeTags":["nav"],"headers":{"cookie":"a=1"},"waitFor":0,"mobile":false,"skipTlsVerification":true,"timeout":60000,"actions":[{"type":"wait","milliseconds":100},{"type":"click","selector":"#a","all":false}],"location":{"country":"DE","languages":["de"]},"removeBase64Images":true,"blockAds":true,"proxy":"auto","lockdown":false,"fastMode":false},"startLeftOut":"include paths","home":"https://www.site.example/"}'

describe('crawl options', () => {
  it('come from the request, then from the prompt, then from the defaults', () => {
    const options = resolveOptions(createRequest({ limit: 3, sitemap: 'skip' }), {
      limit: 5,
      maxDiscoveryDepth: 1,
    })
    expect(options).toMatchObject({ url: 'https://site.example/', limit: 3, sitemap: 'skip' })
    expect(options).toMatchObject({ maxDiscoveryDepth: 1, deduplicateSimilarURLs: true, includePaths: [] })
    expect(resolveOptions(createRequest(), {})).toMatchObject({ limit: 10_000, sitemap: 'include' })
  })

  it('keep the URL of the request if the prompt has another one', () => {
    const prompted = { url: 'https://other.example/', limit: 5 }
    expect(resolveOptions(createRequest(), prompted).url).toBe('https://site.example/')
  })

  it('are read back as written', () => {
    const request = createRequest({
      excludePaths: ['a'],
      delay: 0.5,
      scrapeOptions: { formats: ['links', 'html'] },
    })
    const options = resolveOptions(request, {})
    expect(storedOptions.read(storedOptions.write(options))).toEqual(options)
  })

  it('are read as the previous release stored them', () => {
    expect(storedOptions.read(storedByPrevious)).toEqual(JSON.parse(storedByPrevious))
  })

  it('are read with an unknown option of a later release, and without a new option', () => {
    const { removeRepeatedContent: _, ...older } = JSON.parse(storedByPrevious)
    expect(storedOptions.read(JSON.stringify(older)).removeRepeatedContent).toBe(false)
    const newer = JSON.stringify({ ...JSON.parse(storedByPrevious), later: 1 })
    expect(storedOptions.read(newer)).toHaveProperty('later', 1)
  })

  it('throw an error with the column name if they are damaged', () => {
    expect(() => storedOptions.read(storedByPrevious.slice(0, -1))).toThrow('crawls.options')
    expect(() => storedOptions.read(storedByPrevious.replace('"limit":50', '"limit":"50"'))).toThrow(
      'crawls.options',
    )
  })

  it('are returned without headers and internal fields', () => {
    const publicOptions = toPublicOptions(storedOptions.read(storedByPrevious))
    expect(publicOptions).toMatchObject({ limit: 50, scrapeOptions: { location: { country: 'DE' } } })
    for (const name of ['url', 'home', 'startLeftOut']) expect(publicOptions).not.toHaveProperty(name)
    expect(publicOptions.scrapeOptions).not.toHaveProperty('headers')
  })
})

describe('addWarnings', () => {
  it('stores each warning once, and the first 50', () => {
    expect(addWarnings('["a"]', ['b', 'a', 'b'])).toBe('["a","b"]')
    const many = Array.from({ length: 60 }, (_, index) => `${index}`)
    expect(JSON.parse(addWarnings('["a"]', many))).toEqual(['a', ...many.slice(0, 49)])
    expect(() => addWarnings('{}', ['a'])).toThrow('crawls.notes')
  })
})
