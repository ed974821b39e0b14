import { describe, expect, it } from 'vitest'
import { loadLanguage } from '../text/languages.ts'
import { candidatesToRescore, choosePassages, type PassageLimits, rescored } from './choose-passages.ts'
import { findPassages } from './find-passages.ts'
import { maxSentences, pageSentences } from './markdown-blocks.ts'

async function find(markdown: string, query: string, code: string | undefined = 'en') {
  const language = { ...(await loadLanguage(code)), code }
  return findPassages(pageSentences(markdown, language), query, language)
}
const choosing: PassageLimits = { minShare: 0.5, enoughWords: 60, maxWords: 80, maxSentences: 3 }
const best = async (markdown: string, query: string, code?: string) =>
  choosePassages((await find(markdown, query, code)).candidates, choosing).map(({ text }) => text)

const page = `# Harbour guide

The harbour lies in the north. It is open all year.

Boats are moored at the east pier. The tide turns at noon, and moorings fall dry for two hours. Swimmers stay away then.

## How do I pay?

Cards are taken at the office. It closes at six.

## Blue buoy

€12

| Berth | Length |
| --- | --- |
| East pier | 12 m |
| West pier | 30 m |
`

describe('choosePassages', () => {
  it('returns sentences as on the page, the best first', async () => {
    const [first] = await best(page, 'When do the moorings fall dry?')
    expect(first).toContain('The tide turns at noon, and moorings fall dry for two hours.')
  })

  it('matches words in any of their forms', async () => {
    expect((await best(page, 'mooring of a boat'))[0]).toContain('Boats are moored at the east pier.')
  })

  it('uses the heading above a sentence, and adds it to a short one', async () => {
    expect((await best(page, 'how to pay'))[0]).toContain('Cards are taken at the office.')
    expect((await best(page, 'What does the blue buoy cost?'))[0]).toBe('Blue buoy\n€12')
  })

  it('returns rows of tables', async () => {
    expect((await best(page, 'length of the west pier'))[0]).toBe('West pier; Length: 30 m')
  })

  it('supports other languages and scripts', async () => {
    const german = 'Der Hafen liegt im Norden. Die Häfen öffnen z. B. am 3. Oktober. Boote sind klein.'
    expect((await best(german, 'Wann öffnet der Hafen?', 'de'))[0]).toContain('am 3. Oktober')
    const japanese = '東京は晴れです。大阪の天気は雨です。京都は曇りです。'
    expect((await best(japanese, '大阪の天気', undefined))[0]).toBe('大阪の天気は雨です。')
  })

  it('reports whether a word of the query is on the page', async () => {
    expect((await find(page, 'aeroplane')).isMatched).toBe(false)
    expect((await find(page, 'the moorings')).isMatched).toBe(true)
    expect((await find('', 'anything')).candidates).toEqual([])
  })

  it('returns a repeated sentence once', async () => {
    expect(await best('The tide turns.\n\nThe tide turns.', 'tide')).toEqual(['The tide turns.'])
  })

  it('returns headings if a page has no other text', async () => {
    expect(await best('# Mugs\n\n## Blue mug\n\n## Red mug', 'red mug')).toEqual(['Mugs\nRed mug'])
  })
})

describe('a sentence model', () => {
  it('moves sentences of the same meaning up', async () => {
    const { candidates } = await find(page, 'When can I not swim at the pier?')
    const rescoredCandidates = candidatesToRescore(candidates)
    const similarities = rescoredCandidates.map(({ text }) => (text.startsWith('Swimmers') ? 0.9 : 0.1))
    const [first] = choosePassages(rescored(rescoredCandidates, similarities), choosing)
    expect(first?.text).toContain('Swimmers stay away then.')
  })
})

describe('a hostile page', () => {
  it('accepts a query of any length', async () => {
    const { candidates } = await find(
      page,
      'tide '.repeat(2000) + Array.from({ length: 1000 }, (_, at) => `w${at}`).join(' '),
    )
    expect(candidates.length).toBeGreaterThan(0)
  })

  it('has no more sentences than the limit', async () => {
    const { stopWords } = await loadLanguage('en')
    const { sentences } = pageSentences('One two. '.repeat(maxSentences + 10), { code: 'en', stopWords })
    expect(sentences).toHaveLength(maxSentences)
  })
})
