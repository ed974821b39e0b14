import { wordList } from '../vocabulary/word-lists.ts'
import { singular } from '../vocabulary/words.ts'
import type { FieldNames } from './field-names.ts'

/** Words that many labels have: alone they say too little. */
const general = wordList('generalLabels')
const generalWeight = 0.35
/** Words that change nothing. */
const empty = wordList('emptyWords')
const ofOuter = 0.7
const ofHint = 0.75
const ofHead = 0.55
const likeWord = 0.88

/**
 * How surely a label means a field that has no such name: every word of it is one of the name, of the object around it or of
 * the description, and most of the name is there. 0 where a word of the label says something else.
 */
export function nearness(names: FieldNames, given: readonly string[]): number {
  const label = given.map(compared).filter((word) => !empty.has(word))
  if (label.length === 0 || label.every((word) => general.has(word))) return 0
  const [own, outer, hints] = [names.own, names.outer, names.hints].map((list) => list.map(compared))
  if (!own || !outer || !hints) return 0
  let [told, all] = [0, 0]
  for (const word of label) {
    const weight = weightOf(word)
    const match = Math.max(best(word, own), best(word, outer) * ofOuter, best(word, hints) * ofHint)
    if (match === 0 && weight === 1) return 0
    told += weight * match
    all += weight
  }
  const heads = names.heads.map(compared)
  const isHead = label.every((word) => heads.includes(word)) && label.length * 2 >= heads.length
  const named = Math.max(coverage(own, label), coverage(hints, label) * ofHint, isHead ? ofHead : 0)
  return named < 0.5 ? 0 : (told / all) * 0.5 + named * 0.5
}

/** How much of these words a label has. */
function coverage(wanted: readonly string[], label: readonly string[]): number {
  let [met, all] = [0, 0]
  for (const word of wanted) {
    if (empty.has(word)) continue
    const weight = weightOf(word)
    met += weight * best(word, label)
    all += weight
  }
  return all === 0 ? 0 : met / all
}

const weightOf = (word: string) => (general.has(word) ? generalWeight : 1)

function best(word: string, among: readonly string[]): number {
  let most = 0
  for (const other of among) most = Math.max(most, alike(word, other))
  return most
}

const numbers = new Set(['no', 'nr', 'num', 'nummer', 'numero', 'numer'])

/** Umlauts are written in two ways. */
export function compared(word: string): string {
  if (numbers.has(word)) return 'number'
  return singular(word)
    .replace(/([aou])e/g, '$1')
    .replace(/(?<=\p{L}{3})nr$/u, 'nummer')
}

const endings = new Set(
  ',e,s,es,ed,d,ing,er,ers,or,r,ion,ions,ation,ment,y,al,ly,en,n,em,te,t,ic,ity,ance,ence,able,ive,ry,red,ration,ered,ung,ungen,lich,ig'.split(
    ',',
  ),
)
const shortEndings = new Set(',e,s,ed,al,er,ing,n,en'.split(','))

/** How alike two words are: the same, or of one stem. */
export function alike(one: string, other: string): number {
  if (one === other) return 1
  const least = Math.min(one.length, other.length)
  if (least < 4) return 0
  let shared = 0
  while (shared < least && one[shared] === other[shared]) shared += 1
  const [rest, otherRest] = [one.slice(shared), other.slice(shared)]
  if (shared >= 7 && shared >= least * 0.65 && Math.max(rest.length, otherRest.length) <= 5) return likeWord
  if (shared >= 5) return endings.has(rest) && endings.has(otherRest) ? likeWord : 0
  const isWhole = shared === 4 && least === 4
  return isWhole && shortEndings.has(rest) && shortEndings.has(otherRest) ? likeWord : 0
}
