import { describe, expect, it } from 'vitest'
import { analyseQuery } from '../../extraction/text/analyse.ts'
import { loadLanguage } from '../../extraction/text/languages.ts'
import { maxSentenceLength, sentencesOf } from '../../extraction/text/sentences.ts'
import { findBestPassage, maxPassageLength } from './passage.ts'

const english = await loadLanguage('en')
const findPassage = async (text: string, query: string) =>
  findBestPassage(text, await analyseQuery(query, ['en']), english)

const page = [
  'Harbour guide',
  'The harbour lies in the north. It is open all year.',
  'Boats are moored at the east pier. The tide turns at noon, and moorings fall dry for two hours.',
  'Fees are paid at the office. The office closes at six.',
].join('\n')

describe('findBestPassage', () => {
  it('returns the sentences with most of the query words', async () => {
    const passage = await findPassage(page, 'when do moorings fall dry')
    expect(passage?.text).toContain('The tide turns at noon, and moorings fall dry for two hours.')
  })

  it('returns the offsets of query words in any form', async () => {
    const { text, marks = [] } = (await findPassage(page, 'mooring fee')) ?? { text: '' }
    expect(marks.map(([start, end]) => text.slice(start, end))).toContain('moorings')
  })

  it('returns undefined if no query word occurs in the text', async () => {
    expect(await findPassage(page, 'aeroplane')).toBeUndefined()
  })

  it('limits the length, also for a text without sentences', async () => {
    for (const text of [`${'word '.repeat(5000)}tide`, `tide${'x'.repeat(5000)}`, 'tide '.repeat(9000)]) {
      const passage = await findPassage(text, 'tide')
      expect(passage === undefined || passage.text.length <= maxPassageLength).toBe(true)
    }
  })

  it('finds a passage in a text without spaces', async () => {
    const words = await analyseQuery('天気', [])
    const passage = findBestPassage('東京は晴れです。大阪の天気は雨です。', words, await loadLanguage('ja'))
    expect(passage?.text).toBe('大阪の天気は雨です。')
  })
})

describe('sentencesOf', () => {
  it('splits a text at punctuation and line breaks', () => {
    expect(sentencesOf('One. Two! "Three?" Four\nFive\n\nSix… Seven')).toEqual([
      ...['One.', 'Two!', '"Three?"', 'Four', 'Five', 'Six…', 'Seven'],
    ])
    expect(sentencesOf('version 1.2.3 of a.b')).toEqual(['version 1.2.3 of a.b'])
  })

  it('limits the length of sentences without an end', () => {
    expect(sentencesOf('a '.repeat(100_000)).every(({ length }) => length <= maxSentenceLength)).toBe(true)
    expect(sentencesOf('a'.repeat(100_000)).every(({ length }) => length <= maxSentenceLength)).toBe(true)
    for (const character of ['.', '"', '."'])
      expect(sentencesOf(character.repeat(100_000)).join('')).toHaveLength(character.length * 100_000)
  })
})
