import { describe, expect, it } from 'vitest'
import { loadLanguage } from './languages.ts'
import { maxSentenceLength, splitSentences } from './split-sentences.ts'

async function split(text: string, code?: string): Promise<string[]> {
  const { stopWords } = await loadLanguage(code)
  return splitSentences(text, { code, stopWords })
}

describe('a sentence ends', () => {
  it.each<[string, string, string[]]>([
    ['at its sign', 'en', ['One is here.', 'Two!', '"Three?"', 'Four…', 'Five']],
    [
      'not at an abbreviation',
      'en',
      ['Dr. Smith met Mr. J. R. Jones, e.g. at Fig. 3 of St. Mary vs. Paul in Trinity-St. John.', 'He left.'],
    ],
    ['not at a decimal, version or address', 'en', ['Version 1.2.3 costs $4.50 at a.b.example.com.', 'Yes.']],
    [
      'not in the name of a country',
      'en',
      ['The U.S. Navy sailed.', 'He lives in the U.S.', 'The sea is wide.'],
    ],
    [
      'behind a company where a new one begins',
      'en',
      ['She runs Acme Inc. Boston.', 'It sells to Acme Inc.', 'The rest is known.'],
    ],
    [
      'not at a word that goes on in small letters',
      'en',
      ['"Really?" he asked.', 'They met approx. ten people.'],
    ],
    ['behind brackets and quotes', 'en', ['(It was late.)', 'He said "no."', 'She left.']],
    ['behind references', 'en', ['The sea is wide.[1][a]', 'Boats are small.[23]', 'Done.']],
    ['not at a number that counts', 'en', ['1. First of all.', 'Then more.']],
    ['at a year', 'en', ['It began in 1990.', 'Berlin was whole again.']],
    [
      'in German',
      'de',
      ['Das gilt z. B. für Hunde am 3. Oktober im 19. Jahrhundert bzw. später.', 'Die Katze schläft.'],
    ],
    ['in German with a number at its end', 'de', ['Er ist Nummer 7.', 'Die anderen folgen.']],
    ['in French', 'fr', ['M. Dupont arrive à 8 h.', 'Il dit « oui. »', 'Puis il part.']],
    ['in Spanish', 'es', ['La Sra. López vive aquí.', '¿Quién es?', '¡Hola!']],
    ['in Russian', 'ru', ['Это было в 1990 г. в Москве, т. е. давно.', 'Потом всё изменилось.']],
  ])('%s', async (_, code, sentences) => {
    expect(await split(sentences.join(' '), code)).toEqual(sentences)
  })

  it.each<[string[]]>([
    [['東京は晴れです。', '大阪は「雨です。」', 'そうですか？', 'はい']],
    [['今天下雨。', '明天晴！']],
    [['मौसम अच्छा है।', ' कल बारिश होगी।']],
    [['کیا حال ہے؟', ' ٹھیک ہے۔']],
  ])('at the punctuation of other scripts: %j', async (sentences) => {
    expect(await split(sentences.join(''))).toEqual(sentences.map((sentence) => sentence.trim()))
  })

  it('at the end of a line', async () => {
    expect(await split('12 Main Street\nSpringfield', 'en')).toEqual(['12 Main Street', 'Springfield'])
  })
})

describe('a text without sentences', () => {
  it('is cut into pieces without loss', async () => {
    for (const text of [
      'word '.repeat(2000),
      'x'.repeat(9001),
      'a, '.repeat(3000),
      '\u{1f600}'.repeat(2001),
    ]) {
      const pieces = await split(text, 'en')
      expect(pieces.every(({ length }) => length <= maxSentenceLength)).toBe(true)
      expect(pieces.join('').replaceAll(' ', '')).toBe(text.replaceAll(' ', ''))
    }
  })
})
