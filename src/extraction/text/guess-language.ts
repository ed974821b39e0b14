import { lazy } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { languageCode } from './languages.ts'
import { splitWords } from './words.ts'

/** Common short words of languages in Latin script. Some words are listed for several languages. */
const smallWords = jsonFile<Record<string, string>>(new URL('./small-words.json', import.meta.url))
const getLanguagesByWord = lazy(() => {
  const byWord = new Map<string, string[]>()
  for (const [code, words] of Object.entries(smallWords()))
    for (const word of words.split(' ')) byWord.set(word, [...(byWord.get(word) ?? []), code])
  return byWord
})

const maxSampleLength = 20_000
const minVotes = 5

/** Returns the declared language, else the one with most small words, else the likeliest of the script. */
export function guessLanguage(tag: string | undefined, text: string): string | undefined {
  if (tag !== undefined && tag.trim() !== '') return detectLanguage(tag, text)
  const votes = new Map<string, number>()
  for (const word of splitWords(text.slice(0, maxSampleLength)))
    for (const code of getLanguagesByWord().get(word) ?? []) votes.set(code, (votes.get(code) ?? 0) + 1)
  const [first] = [...votes].sort(([, one], [, other]) => other - one)
  return first && first[1] >= minVotes ? first[0] : detectLanguage(undefined, text)
}

const scripts: [RegExp, string][] = [
  [/\p{Script=Cyrillic}/gu, 'ru'],
  [/\p{Script=Arabic}/gu, 'ar'],
  [/\p{Script=Greek}/gu, 'el'],
  [/\p{Script=Devanagari}/gu, 'hi'],
  [/\p{Script=Tamil}/gu, 'ta'],
]
const scriptsWithoutStemmer =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Hangul}]/gu
const latin = /\p{Script=Latin}/gu
const maxScriptSampleLength = 2000

/** Returns the declared language, else the most likely one for the script. */
export function detectLanguage(tag: string | undefined, text: string): string | undefined {
  const declared = languageCode(tag)
  if (declared !== undefined) return declared
  const part = text.slice(0, maxScriptSampleLength)
  const count = (pattern: RegExp) => part.match(pattern)?.length ?? 0
  const latinCount = count(latin)
  if (tag !== undefined && tag !== '' && latinCount > 0) return undefined
  for (const [pattern, code] of scripts) if (count(pattern) > latinCount) return code
  return count(scriptsWithoutStemmer) > latinCount ? undefined : 'en'
}
