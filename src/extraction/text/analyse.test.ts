import { describe, expect, it } from 'vitest'
import { analyse, analyseQuery } from './analyse.ts'
import { languageCode, loadLanguage } from './languages.ts'
import { splitWords } from './words.ts'

describe('words of a text', () => {
  it.each<[string, string[]]>([
    ['The tide turns, at noon.', ['the', 'tide', 'turns', 'at', 'noon']],
    ['C++ and C# are not .NET; x86_64', ['c++', 'and', 'c#', 'are', 'not', 'net', 'x86', '64']],
    ['state-of-the-art', ['state', 'of', 'the', 'art']],
    ['東京の天気', ['東京', '京の', 'の天', '天気']],
    ['雨', ['雨']],
    ['Python3で書く', ['python3', 'で書', '書く']],
    ['서울 날씨', ['서울', '날씨']],
    ['สวัสดีชาวโลก', ['สวัสดี', 'ชาว', 'โลก']],
    ['ﬁne ｆｏｎｔ', ['fine', 'font']],
    ['', []],
    ['x'.repeat(65), []],
  ])('%j', (text, words) => {
    expect(splitWords(text)).toEqual(words)
  })

  it('are the same with and without a non-ASCII character', () => {
    const text = `C++ c# abc++ a1#b x_y don't 3.14 ${'k'.repeat(65)} ${'k'.repeat(64)} UPPER`
    expect(splitWords(`${text} é`)).toEqual([...splitWords(text), 'é'])
  })

  it('are split in linear time', () => {
    for (const part of ['a', '東', 'ก', '++', 'a#', '́'])
      expect(splitWords(part.repeat(200_000)).length).toBeLessThan(200_001)
  })
})

describe('terms of a text', () => {
  it.each<[string, string, string]>([
    ['en', 'configurations', 'configuring'],
    ['de', 'Häuser', 'Haus'],
    ['fr', 'continuellement', 'continuelle'],
    ['es', 'canciones', 'canción'],
    ['ru', 'книгами', 'книга'],
    ['ar', 'المدرسة', 'مدرسة'],
    ['tr', 'kitaplar', 'kitap'],
    ['pt', 'informações', 'informação'],
  ])('are the same for forms of one word: %s', async (code, one, other) => {
    const language = await loadLanguage(code)
    expect(analyse(one, language)).toEqual(analyse(other, language))
  })

  it('have no accents', async () => {
    expect(analyse('Café', await loadLanguage('en'))).toEqual(analyse('cafe', await loadLanguage('en')))
  })

  it('are the words themselves if the language is unknown', async () => {
    expect(analyse('configurations', await loadLanguage('xx'))).toEqual(['configurations'])
    expect([languageCode('de-AT'), languageCode('nb'), languageCode('xx'), languageCode(undefined)]).toEqual([
      'de',
      'no',
      undefined,
      undefined,
    ])
  })
})

describe('analyseQuery', () => {
  it('returns each word in all languages of the pages', async () => {
    expect(await analyseQuery('Häuser', ['en', 'de'])).toEqual([['hauser', 'haus']])
  })

  it('omits stop words, unless there are no other words', async () => {
    expect(await analyseQuery('what is the tide', ['en'])).toEqual([['tide']])
    expect(await analyseQuery('the who', ['en'])).toEqual([['the'], ['who']])
    expect(await analyseQuery('\u0301 tide', ['en'])).toEqual([['tide']])
    expect(await analyseQuery('\u0301', ['en', 'ar'])).toEqual([])
  })
})
