import { nameWords, phraseOf } from '../vocabulary/words.ts'
import { readYesOrNo } from './yes-or-no.ts'

/** The choice that a text means: the same words, or the only one whose words all stand in it. */
export function readChoice<Choice extends string | number | boolean>(
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
  return first === undefined ? byMeaning(text, choices, phrases) : undefined
}

const isIn = (long = '', short = '') => ` ${long} `.includes(` ${short} `)

/** Where the choices are a yes and a no, by other words: "Auf Lager" for `in_stock`. */
function byMeaning<Choice>(
  text: string,
  choices: readonly Choice[],
  phrases: readonly string[],
): Choice | undefined {
  const meant = readYesOrNo(text)
  if (meant === undefined) return undefined
  const same = phrases.flatMap((phrase, at) => (readYesOrNo(phrase) === meant ? [at] : []))
  return same.length === 1 ? choices[same[0] ?? 0] : undefined
}
