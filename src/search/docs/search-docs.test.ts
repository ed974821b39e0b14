import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import questions from '../../../test/docs-questions.json' with { type: 'json' }
import { readDocs } from './read-docs.ts'
import { docsSearch, readKeywords } from './search-docs.ts'

const root = join(import.meta.dirname, '../../..')
const search = docsSearch({ root })
const findPaths = async (question: string) => (await search(question, 5)).map(({ pathOrUrl }) => pathOrUrl)
const findFirstPath = async (question: string) => (await findPaths(question))[0]

describe('docsSearch', () => {
  it('ranks the right section first for most questions, by words only', async () => {
    const ranks = await Promise.all(
      questions.map(async ({ question, places: expectedPaths }) =>
        (await search(question, 3)).findIndex(({ pathOrUrl }) => expectedPaths.includes(pathOrUrl)),
      ),
    )
    expect(ranks.filter((rank) => rank === 0).length / questions.length).toBeGreaterThanOrEqual(0.85)
    expect(ranks.filter((rank) => rank >= 0).length / questions.length).toBeGreaterThanOrEqual(0.95)
  })

  it('finds settings, errors, limits and options by name, in any case', async () => {
    expect(await findFirstPath('RATE_PER_MINUTE')).toBe('docs/configuration.md#RATE_PER_MINUTE')
    expect(await findFirstPath('what is rate_limited')).toBe('docs/errors.md#RATE_LIMITED')
    expect(await findFirstPath('MAX_URL_LENGTH')).toBe('docs/limits.md#MAX_URL_LENGTH')
    expect(await findFirstPath('removebase64images')).toMatch(
      /ScrapeOptions\/properties\/removeBase64Images$/,
    )
    expect(await findFirstPath('POST /v2/map')).toBe('docs/openapi.json#/paths/~1v2~1map/post')
  })

  it.each([
    'Who won the chess olympiad in 1972?',
    'How do I bake sourdough bread?',
    'What is the capital of Mongolia?',
    '?!',
    'zzzz qqqq',
  ])('returns nothing for %s', async (question) => {
    expect(await search(question, 5)).toEqual([])
  })

  it('returns passages of the section', async () => {
    const [section] = await search('How soon must a receiver confirm a webhook?', 1)
    expect(section).toMatchObject({ title: 'Crawls and webhooks', headings: ['Self-hosting'] })
    expect(section?.passages[0]).toContain('within 10 seconds')
  })

  it('treats every special character of a question as a space', async () => {
    const plain = await findPaths('backup database')
    const special = [
      ...String.fromCharCode(...Array.from({ length: 0x2c0 }, (_, code) => code)),
      '\u2028',
      '\ud800',
      '“',
    ]
    const separators = special.filter((character) => !/[\p{L}\p{N}\p{M}_]/u.test(character.normalize('NFKC')))
    expect(separators.length).toBeGreaterThan(100)
    for (const character of separators)
      expect([
        character,
        await findPaths(`${character}backup${character}${character} ${character}database${character}`),
      ]).toEqual([character, plain])
  })

  it.each([
    ...[
      '"',
      '""',
      '"backup',
      'backup" OR "',
      "' OR 1=1 --",
      '(backup',
      'backup)',
      'backup*',
      '^backup',
      'title:backup',
    ],
    ...[
      '{title}: backup',
      '-backup',
      '+backup',
      'NEAR(backup database, 2)',
      'backup AND',
      'NOT',
      'OR OR',
      'c++ c#',
      '\0',
    ],
    ...['a b c d '.repeat(1000), '"('.repeat(4000), 'x_y '.repeat(2000), 'aB '.repeat(2000), '日本語 ไทย'],
  ])('returns sections for %j without a syntax error', async (question) => {
    expect(Array.isArray(await search(question, 5))).toBe(true)
  })

  it('throws FEATURE_NOT_AVAILABLE if the documentation is not installed', async () => {
    const missing = docsSearch({ root: join(root, 'nowhere') })
    await expect(missing('backup', 1)).rejects.toMatchObject({ code: 'FEATURE_NOT_AVAILABLE' })
  })
})

describe('readDocs', () => {
  it('returns sections with a unique path, a title and a text', async () => {
    const sections = await readDocs(root)
    expect(sections.length).toBeGreaterThan(500)
    expect(new Set(sections.map(({ pathOrUrl }) => pathOrUrl)).size).toBe(sections.length)
    expect(sections.filter(({ title, text }) => title === '' || text === '')).toEqual([])
  })

  it('returns all sections that the keywords and the questions name', async () => {
    const sections = await readDocs(root)
    const keys = new Set(sections.map(({ key }) => key))
    expect(Object.keys(readKeywords()).filter((key) => !keys.has(key))).toEqual([])
    const paths = new Set(sections.map(({ pathOrUrl }) => pathOrUrl))
    expect(
      questions.filter(({ places: expectedPaths }) => !expectedPaths.some((path) => paths.has(path))),
    ).toEqual([])
  })
})
