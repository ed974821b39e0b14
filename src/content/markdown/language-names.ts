import { jsonFile } from '../../base/json-file.ts'
import { once } from '../../base/once.ts'

/** The names of languages, each with the other names that highlighters give to it, separated by spaces. */
export type LanguageNames = Record<string, string>

const names = jsonFile<LanguageNames>(new URL('./language-names.json', import.meta.url))

const usual = once(
  () =>
    new Map(
      Object.entries(names()).flatMap(([name, others]) =>
        `${name} ${others}`
          .trim()
          .split(' ')
          .map((other): [string, string] => [other, name]),
      ),
    ),
)

/** The usual name of a language, or nothing for a word that names none. */
export const knownLanguage = (word: string): string | undefined => usual().get(word.toLowerCase())
