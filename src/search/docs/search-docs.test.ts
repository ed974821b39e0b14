import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import questions from '../../../test/docs-questions.json' with { type: 'json' }
import { keywords } from './keywords.ts'
import { readDocs } from './read-docs.ts'
import { docsSearch } from './search-docs.ts'

const root = join(import.meta.dirname, '../../..')
const search = docsSearch({ root, sentences: undefined })
const first = async (question: string) => (await search(question, 1))[0]?.pathOrUrl

describe('the search of the documentation', () => {
  it('finds the right section first for most questions of users, by words alone', async () => {
    const places = await Promise.all(
      questions.map(async ({ question, places: right }) =>
        (await search(question, 3)).findIndex(({ pathOrUrl }) => right.includes(pathOrUrl)),
      ),
    )
    expect(places.filter((place) => place === 0).length / questions.length).toBeGreaterThanOrEqual(0.85)
    expect(places.filter((place) => place >= 0).length / questions.length).toBeGreaterThanOrEqual(0.95)
  })

  it('finds settings, errors, limits and options by their names, in any case', async () => {
    expect(await first('RATE_PER_MINUTE')).toBe('docs/configuration.md#RATE_PER_MINUTE')
    expect(await first('what is rate_limited')).toBe('docs/errors.md#RATE_LIMITED')
    expect(await first('MAX_URL_LENGTH')).toBe('docs/limits.md#MAX_URL_LENGTH')
    expect(await first('removebase64images')).toMatch(/ScrapeOptions\/properties\/removeBase64Images$/)
    expect(await first('POST /v2/map')).toBe('docs/openapi.json#/paths/~1v2~1map/post')
  })

  it.each([
    'Who won the chess olympiad in 1972?',
    'How do I bake sourdough bread?',
    'What is the capital of Mongolia?',
    '?!',
    'zzzz qqqq',
  ])('finds nothing for %s', async (question) => {
    expect(await search(question, 5)).toEqual([])
  })

  it('quotes passages that stand in the section', async () => {
    const [found] = await search('In how many seconds must a receiver confirm a webhook?', 1)
    expect(found).toMatchObject({ title: 'Crawls and webhooks', headings: ['Self-hosting'] })
    expect(found?.passages[0]).toContain('within 10 seconds')
  })

  it('orders what words find by meaning where a sentence model is there', async () => {
    const wanted = 'Backup'
    const byMeaning = docsSearch({
      root,
      sentences: () => async (_, texts) => texts.map((text) => (text.includes(wanted) ? 1 : 0)),
    })
    const caller = { who: { team: 'a' }, signal: AbortSignal.timeout(60_000) }
    expect((await byMeaning('copy the database', 1, caller))[0]?.title).toBe(wanted)
  })

  it('says that it is not there where the documentation is not installed', async () => {
    const missing = docsSearch({ root: join(root, 'nowhere'), sentences: undefined })
    await expect(missing('backup', 1)).rejects.toMatchObject({ code: 'FEATURE_NOT_AVAILABLE' })
  })
})

describe('the sections of the documentation', () => {
  it('have one place each, a title and a text', async () => {
    const sections = await readDocs(root)
    expect(sections.length).toBeGreaterThan(500)
    expect(new Set(sections.map(({ pathOrUrl }) => pathOrUrl)).size).toBe(sections.length)
    expect(sections.filter(({ title, text }) => title === '' || text === '')).toEqual([])
  })

  it('are what the keywords and the questions name', async () => {
    const sections = await readDocs(root)
    const keys = new Set(sections.map(({ key }) => key))
    expect(Object.keys(keywords).filter((key) => !keys.has(key))).toEqual([])
    const places = new Set(sections.map(({ pathOrUrl }) => pathOrUrl))
    expect(questions.filter(({ places: right }) => !right.some((place) => places.has(place)))).toEqual([])
  })
})
