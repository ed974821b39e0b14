import { describe, expect, it } from 'vitest'
import { compilePatterns } from '../../features/discover/patterns.ts'
import { deeperThan } from './crawl.ts'

describe.each([false, true])('maxDepth as a pattern, of whole URLs: %s', (regexOnFullURL) => {
  it.each([
    [0, 'https://a.example', '/', true],
    [0, 'https://a.example', '/docs', false],
    [1, 'https://a.example/', '/docs', true],
    [1, 'https://a.example/', '/docs/', true],
    [1, 'https://a.example/', '/docs?next=/a/b/c', true],
    [1, 'https://a.example/', '/docs/one', false],
    [1, 'https://a.example/docs/', '/docs/one', true],
    [1, 'https://a.example/docs/', '/docs/one/two', false],
    [100, 'https://a.example/docs/', '/docs/one/two', true],
  ])('%i from %s: %s is wanted: %s', async (maxDepth, start, path, isWanted) => {
    const excludePaths = [deeperThan(maxDepth, start, regexOnFullURL)]
    const patterns = await compilePatterns({ includePaths: [], excludePaths, regexOnFullURL })
    expect(patterns.refuses(new URL(path, 'https://a.example')) === undefined).toBe(isWanted)
  })
})
