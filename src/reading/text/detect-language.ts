import { languageCode } from './languages.ts'

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
const sample = 2000

/** The language that a page says it is written in, or the likeliest for its script. */
export function detectLanguage(tag: string | undefined, text: string): string | undefined {
  const said = languageCode(tag)
  if (said !== undefined) return said
  const part = text.slice(0, sample)
  const count = (pattern: RegExp) => part.match(pattern)?.length ?? 0
  const latins = count(latin)
  if (tag !== undefined && tag !== '' && latins > 0) return undefined
  for (const [pattern, code] of scripts) if (count(pattern) > latins) return code
  return count(unspaced) > latins ? undefined : 'en'
}
