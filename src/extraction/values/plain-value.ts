import { decodeHTML } from 'entities'
import { parseHtml } from '../../content/tree/parse.ts'
import { root, textOf } from '../../content/tree/tree.ts'
import { nameWords, phraseOf, words } from '../vocabulary/words.ts'

/** Descriptions come as HTML, escaped HTML or plain text; this is how they read. */
export function plainText(given: unknown, most = 20_000): string | undefined {
  if (typeof given !== 'string' && typeof given !== 'number') return undefined
  const written = String(given).slice(0, most * 4)
  // Twice, because templates escape what was escaped when it was stored.
  const decoded = written.includes('&') ? decodeHTML(decodeHTML(written)) : written
  // Blocks run into each other once their tags are gone.
  const spaced = decoded.replace(/<(?:br|\/p|\/div|\/li|\/h[1-6]|\/tr)\b[^<>]{0,200}>/gi, '$& ')
  const text = /<[a-z!/]/i.test(spaced) ? textOf(parseHtml(spaced), root) : spaced
  return text.replace(/\s+/g, ' ').trim().slice(0, most) || undefined
}

const no =
  /\b(?:no|not|non|nein|nicht|kein|keine|false|never|out of stock|sold out|outofstock|soldout|discontinued|unavailable|nicht verfugbar|nicht lieferbar|nicht auf lager|ausverkauft|vergriffen|epuise|rupture|indisponible|agotado|sin stock|no disponible|esaurito|non disponibile|esgotado|indisponivel|uitverkocht|niet|udsolgt|slutsald|slut|brak|niedostepny|cancelled|closed)\b|在庫切れ|売り切れ|品切れ|なし|いいえ/
const yes =
  /\b(?:yes|telecommute|ja|oui|si|sim|true|available|in stock|instock|onlineonly|instoreonly|limitedavailability|preorder|backorder|lieferbar|verfugbar|auf lager|sofort|vorratig|en stock|disponible|disponibile|disponivel|op voorraad|leverbaar|pa lager|i lager|dostepny|disponible|possible|moglich|erlaubt|included|inklusive|free|open|tak|ano)\b|在庫あり|あり|はい/

/** Whether a text says yes or no; undefined where it says neither. */
export function readYesOrNo(text: string): boolean | undefined {
  const said = phraseOf(
    words(text.replace(/^https?:\/\/schema\.org\//i, '').replace(/([a-z])([A-Z])/g, '$1 $2')),
  )
  if (said === '0' || said === '1') return said === '1'
  const joined = ` ${said} `
  if (no.test(joined) || no.test(said.replaceAll(' ', ''))) return false
  return yes.test(joined) || yes.test(said.replaceAll(' ', '')) ? true : undefined
}

/** The choice that a text means: the same words, or the only one whose words all stand in it. */
export function readChoice<Choice extends string | number | boolean>(
  text: string,
  choices: readonly Choice[],
): Choice | undefined {
  const phrases = choices.map((choice) => phraseOf(nameWords(String(choice))))
  return namedChoice(text, choices) ?? byMeaning(text, choices, phrases)
}

/** The choice that a text names. */
export function namedChoice<Choice extends string | number | boolean>(
  text: string,
  choices: readonly Choice[],
): Choice | undefined {
  const said = phraseOf(nameWords(text.replace(/^https?:\/\/schema\.org\//i, '')))
  const phrases = choices.map((choice) => phraseOf(nameWords(String(choice))))
  const same = phrases.indexOf(said)
  if (same >= 0) return choices[same]
  const inside = phrases
    .map((phrase, at) => (phrase !== '' && ` ${said} `.includes(` ${phrase} `) ? at : -1))
    .filter((at) => at >= 0)
  // "not in stock" holds "in stock": the longer one is meant, and where two are as long, none.
  const [first, second] = inside.sort(
    (one, other) => (phrases[other]?.length ?? 0) - (phrases[one]?.length ?? 0),
  )
  if (first !== undefined && (second === undefined || isIn(phrases[first], phrases[second])))
    return choices[first]
  if (first === undefined) return byStem(said, choices, phrases)
  // "Plug-in petrol hybrid" is a hybrid: what it is stands at the end.
  const last = inside.filter((at) => said.endsWith(phrases[at] ?? ''))
  return last.length === 1 && said.split(' ').length <= maxWordsOfKind ? choices[last[0] ?? 0] : undefined
}

const maxWordsOfKind = 5
const shortest = 5

/** "Contractor" for `contract`: the only choice that a word of the text begins with, or that begins with one. */
function byStem<Choice>(
  said: string,
  choices: readonly Choice[],
  phrases: readonly string[],
): Choice | undefined {
  const words = said.split(' ')
  if (words.length > maxWordsOfKind) return undefined
  const alike = phrases.flatMap((phrase, at) => {
    const isAlike = words.some((word) => {
      const least = Math.min(word.length, phrase.length)
      return (
        least >= shortest &&
        Math.abs(word.length - phrase.length) <= 4 &&
        word.slice(0, least) === phrase.slice(0, least)
      )
    })
    return isAlike ? [at] : []
  })
  return alike.length === 1 ? choices[alike[0] ?? 0] : undefined
}

const isIn = (long = '', short = '') => ` ${long} `.includes(` ${short} `)

/** What can be had, but not now. */
const later = /order|limited|only|soon/

/** Where the choices are a yes and a no, by other words: "Auf Lager" for `in_stock`. */
function byMeaning<Choice>(
  text: string,
  choices: readonly Choice[],
  phrases: readonly string[],
): Choice | undefined {
  const meant = readYesOrNo(text)
  if (meant === undefined) return undefined
  const same = phrases.flatMap((phrase, at) =>
    readYesOrNo(phrase) === meant && !later.test(phrase) ? [at] : [],
  )
  return same.length === 1 ? choices[same[0] ?? 0] : undefined
}
