import { languageCode } from './languages.ts'
import { splitWords } from './words.ts'

/** The commonest small words of languages in Latin script, without those that another of them shares. */
const small: Record<string, string> = {
  en: 'the and of to is that for with was are this from have which were',
  de: 'der die und das ist nicht ein eine mit von den dem des auf für sich wird',
  fr: 'le les et des est une dans que pour qui sur du pas avec sont cette',
  es: 'el los las y del que una por con para es como más pero está',
  it: 'il di che è per della sono con gli nel anche dei una alla come',
  pt: 'o os as do da em não uma para com mais dos ao são pelo',
  nl: 'het een van en niet dat zijn voor met ook naar wordt bij deze door',
  sv: 'och att det som för är inte på den med har till av ett om',
  da: 'og at det som er ikke på den med har til af et der blev',
  no: 'og at det som er ikke på den med har til av et ble fra',
  fi: 'ja on ei että se oli ovat mutta kun myös joka tai hän sen ole',
  hu: 'a az és hogy nem is egy ez volt de csak már még mint meg',
  tr: 've bir bu için ile olarak da çok olan daha gibi en ancak kadar sonra',
  ro: 'și în de la cu pe este nu din care sunt mai pentru o ce',
}
const languagesOf = new Map<string, string[]>()
for (const [code, words] of Object.entries(small))
  for (const word of words.split(' ')) languagesOf.set(word, [...(languagesOf.get(word) ?? []), code])

const sample = 20_000
/** Fewer small words than this decide nothing. */
const fewest = 5

/** The language that a page names, or the one that its small words belong to, or the likeliest for its script. */
export function guessLanguage(tag: string | undefined, text: string): string | undefined {
  if (tag !== undefined && tag.trim() !== '') return detectLanguage(tag, text)
  const votes = new Map<string, number>()
  for (const word of splitWords(text.slice(0, sample)))
    for (const code of languagesOf.get(word) ?? []) votes.set(code, (votes.get(code) ?? 0) + 1)
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
