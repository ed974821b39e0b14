import { nameWords, phraseOf } from '../vocabulary/words.ts'
import { readYesOrNo } from './yes-or-no.ts'

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
  return last.length === 1 && said.split(' ').length <= mostWordsOfKind ? choices[last[0] ?? 0] : undefined
}

const mostWordsOfKind = 5
const shortest = 5

/** "Contractor" for `contract`: the only choice that a word of the text begins with, or that begins with one. */
function byStem<Choice>(
  said: string,
  choices: readonly Choice[],
  phrases: readonly string[],
): Choice | undefined {
  const words = said.split(' ')
  if (words.length > mostWordsOfKind) return undefined
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
