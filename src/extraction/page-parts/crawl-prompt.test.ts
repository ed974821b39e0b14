import { describe, expect, it } from 'vitest'
import { readPrompt } from './crawl-prompt.ts'

const seenPaths = [
  '/',
  '/blog',
  '/blog/one',
  '/blog/2024/two',
  '/docs/api/v1',
  '/docs/guide',
  '/careers',
  '/shop/cat/1',
  '/en/about',
  '/press',
]
const parse = (prompt: string) => readPrompt(prompt, seenPaths)

describe('readPrompt', () => {
  it.each([
    ['at most 50 pages', { limit: 50 }],
    ['limit to 1,000 urls', { limit: 1000 }],
    ['Crawl the first 20 articles', { limit: 20 }],
    ['get 2k pages', { limit: 2000 }],
    ['stop after ten pages', { limit: 10 }],
    ['max depth 2', { maxDiscoveryDepth: 2 }],
    ['with a depth of three', { maxDiscoveryDepth: 3 }],
    ['only 2 levels deep', { maxDiscoveryDepth: 2 }],
    ['include subdomains', { allowSubdomains: true }],
    ['without subdomains', { allowSubdomains: false }],
    ['follow external links', { allowExternalLinks: true }],
    ["don't follow external links", { allowExternalLinks: false }],
    ['Stay on this domain.', { allowExternalLinks: false }],
    ['crawl the whole site', { crawlEntireDomain: true }],
    ['only child pages', { crawlEntireDomain: false }],
    ['only use the sitemap', { sitemap: 'only' }],
    ['ignore the sitemap', { sitemap: 'skip' }],
    ['use the sitemap', { sitemap: 'include' }],
    ['ignore query parameters', { ignoreQueryParameters: true }],
    ['keep query parameters', { ignoreQueryParameters: false }],
    ['ignore robots.txt', { ignoreRobotsTxt: true }],
    ['respect robots.txt', { ignoreRobotsTxt: false }],
    ['wait 2 seconds between requests', { delay: 2 }],
    ['with a 500 ms delay', { delay: 1 }],
    ['one request every 5 seconds', { delay: 5 }],
    ['politely', { delay: 1 }],
    ['no duplicates', { deduplicateSimilarURLs: true }],
    ['only the blog', { includePaths: ['^/blog(?:/|$)'] }],
    ['Only crawl blog posts', { includePaths: ['^/blog(?:/|$)'] }],
    ['only the blog and the docs', { includePaths: ['^/blog(?:/|$)', '^/docs(?:/|$)'] }],
    ['skip careers', { excludePaths: ['^/careers(?:/|$)'] }],
    ['everything under /docs/api', { includePaths: ['^/docs/api(?:/|$)'] }],
    ['the documentation only', { includePaths: ['^/docs(?:/|$)'] }],
    ['only blog posts from 2024', { includePaths: ['^/blog/.*2024'] }],
    ['only English pages', { includePaths: ['^/en(?:/|$)'] }],
    ['skip pdf files', { excludePaths: ['\\.pdf$'] }],
  ])('%s', (prompt, options) => {
    expect(parse(prompt)).toEqual({ options, unclear: [] })
  })

  it('combines several rules', () => {
    const prompt =
      'Crawl only the blog, skip careers and press, at most 100 pages, 3 levels deep, and ignore the sitemap.'
    expect(parse(prompt)).toEqual({
      options: {
        includePaths: ['^/blog(?:/|$)'],
        excludePaths: ['^/careers(?:/|$)', '^/press(?:/|$)'],
        limit: 100,
        maxDiscoveryDepth: 3,
        sitemap: 'skip',
      },
      unclear: [],
    })
  })

  it('returns topics without a matching page as unclear', () => {
    expect(parse('only the podcast')).toEqual({ options: {}, unclear: ['podcast'] })
    expect(parse('skip wiki, at most 5 pages')).toEqual({ options: { limit: 5 }, unclear: ['wiki'] })
  })

  it('returns phrases that it does not understand as unclear', () => {
    expect(parse('At most 5 pages. Translate them into Latin!')).toEqual({
      options: { limit: 5 },
      unclear: ['translate them into latin'],
    })
  })

  it('returns no options for an empty or a repetitive prompt', () => {
    expect(parse('').options).toEqual({})
    expect(parse('only '.repeat(2000)).options).toEqual({})
    expect(parse(`${'skip a and '.repeat(900)}`).options).toEqual({})
  })
})
