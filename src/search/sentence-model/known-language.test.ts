import { expect, it } from 'vitest'
import { isModelLanguage, isSupportedByModel } from './known-language.ts'

it.each<[string, string[], boolean]>([
  ['when do moorings fall dry', ['en', 'de'], true],
  ['harbour', ['en', 'de'], true],
  ['Hafen', ['en', 'de'], true],
  ['wann fallen die Häuser trocken', ['en', 'de'], false],
  ['wann fallen die Häuser trocken', ['en'], true],
  ['café in Paris', ['en', 'fr'], true],
  ['où est la gare', ['en', 'fr'], false],
  ['大阪の天気', ['en', 'ja'], false],
  ['погода', ['en'], false],
  ['c++ 2024', ['en'], true],
])('isForModel for %s among pages in %s returns %s', async (query, languages, expected) => {
  expect(await isSupportedByModel(query, languages)).toBe(expected)
})

it('modelKnows returns true only for English', () => {
  expect(['en', 'de', undefined, null].map((code) => isModelLanguage(code))).toEqual([
    true,
    false,
    false,
    false,
  ])
})
