import { once } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { languageCode } from './languages.ts'
import { splitWords } from './words.ts'

/** The commonest small words of languages in Latin script, without those that another of them shares. */
const small = jsonFile<Record<string, string>>(new URL('./small-words.json', import.meta.url))
const languagesOf = once(() => {
  const byWord = new Map<string, string[]>()
  for (const [code, words] of Object.entries(small()))
    for (const word of words.split(' ')) byWord.set(word, [...(byWord.get(word) ?? []), code])
  return byWord
})

const sample = 20_000
/** Fewer small words than this decide nothing. */
const fewest = 5

/** The language that a page names, or the one that its small words belong to, or the likeliest for its script. */
export function guessLanguage(tag: string | undefined, text: string): string | undefined {
  if (tag !== undefined && tag.trim() !== '') return detectLanguage(tag, text)
  const votes = new Map<string, number>()
  for (const word of splitWords(text.slice(0, sample)))
    for (const code of languagesOf().get(word) ?? []) votes.set(code, (votes.get(code) ?? 0) + 1)
  const [first] = [...votes].sort(([, one], [, other]) => other - one)
  return first && first[1] >= fewest ? first[0] : detectLanguage(undefined, text)
}

/** Scripts that one of the known languages is mostly written in. */
const scripts: [RegExp, string][] = [
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Tamil}/gu, 'ta'],
]
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/gu
const latin = /\p{Script=Latin}/gu
const sampleOfScript = 2000

/** The language that a page says it is written in, or the likeliest for its script. */
export function detectLanguage(tag: string | undefined, text: string): string | undefined {
  const said = languageCode(tag)
  if (said !== undefined) return said
  const part = text.slice(0, sampleOfScript)
  const count = (pattern: RegExp) => part.match(pattern)?.length ?? 0
  const latins = count(latin)
  if (tag !== undefined && tag !== '' && latins > 0) return undefined
  for (const [pattern, code] of scripts) if (count(pattern) > latins) return code
  return count(unspaced) > latins ? undefined : 'en'
}
