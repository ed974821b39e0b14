import { describe, expect, it } from 'vitest'
import { compilePatterns } from '../../features/discover/patterns.ts'
import { deeperThan } from './crawl.ts'

describe.each([false, true])('deeperThan() with regexOnFullURL %s', (regexOnFullURL) => {
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
  ])('maxDepth %i from %s: %s is included: %s', async (maxDepth, start, path, isIncluded) => {
    const excludePaths = [deeperThan(maxDepth, start, regexOnFullURL)]
    const patterns = await compilePatterns({ includePaths: [], excludePaths, regexOnFullURL })
    expect(patterns.exclusionReason(new URL(path, 'https://a.example')) === undefined).toBe(isIncluded)
  })
})
