import { decodeHTML } from 'entities'
import { parseHtml } from '../../content/tree/parse.ts'
import { root, textOf } from '../../content/tree/tree.ts'
import { nameWords, phraseOf, words } from '../vocabulary/words.ts'

/** Converts a description, which may be HTML, escaped HTML or plain text, to plain text. */
export function plainText(given: unknown, maxLength = 20_000): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined
  const written = String(given).slice(0, maxLength * 4)
  // Decode twice, because some templates escape text that is stored escaped.
  const decoded = written.includes('&') ? decodeHTML(decodeHTML(written)) : written
  // Add spaces, because the texts of blocks would be joined when their tags are removed.
  const spaced = decoded.replace(/<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr)\b[^<>]{0,200}>/gi, '$& ')
  const text = /<[a-z!/]/i.test(spaced) ? textOf(parseHtml(spaced), root) : spaced
  return text.replace(/\s+/g, ' ').trim().slice(0, maxLength) || undefined
}

const noPattern =
  /\b(?:no|not|non|nein|nicht|kein|keine|false|never|out of stock|sold out|outofstock|soldout|discontinued|unavailable|nicht verfugbar|nicht lieferbar|nicht auf lager|ausverkauft|vergriffen|epuise|rupture|indisponible|agotado|sin stock|no disponible|esaurito|non disponibile|esgotado|indisponivel|uitverkocht|niet|udsolgt|slutsald|slut|brak|niedostepny|cancelled|closed)\b|在庫切れ|売り切れ|品切れ|なし|いいえ/
const yesPattern =
  /\b(?:yes|telecommute|ja|oui|si|sim|true|available|in stock|instock|onlineonly|instoreonly|limitedavailability|preorder|backorder|lieferbar|verfugbar|auf lager|sofort|vorratig|en stock|disponible|disponibile|disponivel|op voorraad|leverbaar|pa lager|i lager|dostepny|disponible|possible|moglich|erlaubt|included|inklusive|free|open|tak|ano)\b|在庫あり|あり|はい/

export function readYesOrNo(text: string): boolean | undefined {
  const textPhrase = phraseOf(
    words(text.replace(/^https?:\/\/schema\.org\//i, '').replace(/([a-z])([A-Z])/g, '$1 $2')),
  )
  if (textPhrase === '0' || textPhrase === '1') return textPhrase === '1'
  const joined = ` ${textPhrase} `
  if (noPattern.test(joined) || noPattern.test(textPhrase.replaceAll(' ', ''))) return false
  return yesPattern.test(joined) || yesPattern.test(textPhrase.replaceAll(' ', '')) ? true : undefined
}

type Choice = string | number | boolean

const phrasesOf = (choices: readonly Choice[]) => choices.map((choice) => phraseOf(nameWords(String(choice))))

export function readChoice(text: string, choices: readonly Choice[]): Choice | undefined {
  return namedChoice(text, choices) ?? findByMeaning(text, choices)
}

export function namedChoice(text: string, choices: readonly Choice[]): Choice | undefined {
  const textPhrase = phraseOf(nameWords(text.replace(/^https?:\/\/schema\.org\//i, '')))
  const phrases = phrasesOf(choices)
  const exact = phrases.indexOf(textPhrase)
  if (exact >= 0) return choices[exact]
  const contained = phrases
    .map((phrase, at) => (phrase !== '' && ` ${textPhrase} `.includes(` ${phrase} `) ? at : -1))
    .filter((at) => at >= 0)
  // The longer choice is used if it contains the other: "not in stock" contains "in stock".
  const lengthOf = (at: number) => phrases[at]?.length ?? 0
  const [first, second] = contained.sort((one, other) => lengthOf(other) - lengthOf(one))
  if (first !== undefined && (second === undefined || containsPhrase(phrases[first], phrases[second])))
    return choices[first]
  if (first === undefined) return findByStem(textPhrase, choices, phrases)
  // Of several choices, the choice at the end of the text is used: "Plug-in petrol hybrid" is a hybrid.
  const last = contained.filter((at) => textPhrase.endsWith(phrases[at] ?? ''))
  return last.length === 1 && textPhrase.split(' ').length <= maxWordsInText
    ? choices[last[0] ?? 0]
    : undefined
}

const maxWordsInText = 5
const minStemLength = 5

/** Returns the only choice that shares a stem with a word of the text: `contract` for "Contractor". */
function findByStem(textPhrase: string, choices: readonly Choice[], phrases: readonly string[]) {
  const words = textPhrase.split(' ')
  if (words.length > maxWordsInText) return undefined
  const hasStem = (phrase: string) => (word: string) =>
    Math.min(word.length, phrase.length) >= minStemLength &&
    Math.abs(word.length - phrase.length) <= 4 &&
    (word.startsWith(phrase) || phrase.startsWith(word))
  return onlyChoice(choices, (at) => words.some(hasStem(phrases[at] ?? '')))
}

function onlyChoice(choices: readonly Choice[], test: (at: number) => boolean) {
  const matching = choices.filter((_, at) => test(at))
  return matching.length === 1 ? matching[0] : undefined
}

const containsPhrase = (long = '', short = '') => ` ${long} `.includes(` ${short} `)

/** Words of choices that mean limited or later availability. */
const notAvailableNow = /order|limited|only|soon/

/** Returns the only choice with the same boolean meaning as the text: `in_stock` for "Auf Lager". */
function findByMeaning(text: string, choices: readonly Choice[]) {
  const meaning = readYesOrNo(text)
  if (meaning === undefined) return undefined
  const phrases = phrasesOf(choices)
  return onlyChoice(choices, (at) => {
    const phrase = phrases[at] ?? ''
    return readYesOrNo(phrase) === meaning && !notAvailableNow.test(phrase)
  })
}
