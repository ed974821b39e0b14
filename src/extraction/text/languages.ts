import { fold } from './words.ts'

/** Stemming and stop words of a language. */
export interface Language {
  stem(word: string): string
  /** Returns the stem of a word without accents; empty for a word of combining marks only. */
  term(word: string): string
  stopWords: ReadonlySet<string>
}

type LanguageModules = readonly [
  stemmer: () => Promise<{ stemmer(word: string): string }>,
  stopWords: () => Promise<{ stopwords: string[] }>,
]

/** Modules of each language, by its code. */
const modules: Record<string, LanguageModules> = {
  ar: [() => import('@orama/stemmers/arabic'), () => import('@orama/stopwords/arabic')],
  bg: [() => import('@orama/stemmers/bulgarian'), () => import('@orama/stopwords/bulgarian')],
  da: [() => import('@orama/stemmers/danish'), () => import('@orama/stopwords/danish')],
  de: [() => import('@orama/stemmers/german'), () => import('@orama/stopwords/german')],
  el: [() => import('@orama/stemmers/greek'), () => import('@orama/stopwords/greek')],
  en: [() => import('@orama/stemmers/english'), () => import('@orama/stopwords/english')],
  es: [() => import('@orama/stemmers/spanish'), () => import('@orama/stopwords/spanish')],
  fi: [() => import('@orama/stemmers/finnish'), () => import('@orama/stopwords/finnish')],
  fr: [() => import('@orama/stemmers/french'), () => import('@orama/stopwords/french')],
  hi: [() => import('@orama/stemmers/indian'), () => import('@orama/stopwords/indian')],
  hu: [() => import('@orama/stemmers/hungarian'), () => import('@orama/stopwords/hungarian')],
  id: [() => import('@orama/stemmers/indonesian'), () => import('@orama/stopwords/indonesian')],
  it: [() => import('@orama/stemmers/italian'), () => import('@orama/stopwords/italian')],
  lt: [() => import('@orama/stemmers/lithuanian'), () => import('@orama/stopwords/lithuanian')],
  nl: [() => import('@orama/stemmers/dutch'), () => import('@orama/stopwords/dutch')],
  no: [() => import('@orama/stemmers/norwegian'), () => import('@orama/stopwords/norwegian')],
  pt: [() => import('@orama/stemmers/portuguese'), () => import('@orama/stopwords/portuguese')],
  ro: [() => import('@orama/stemmers/romanian'), () => import('@orama/stopwords/romanian')],
  ru: [() => import('@orama/stemmers/russian'), () => import('@orama/stopwords/russian')],
  sr: [() => import('@orama/stemmers/serbian'), () => import('@orama/stopwords/serbian')],
  sv: [() => import('@orama/stemmers/swedish'), () => import('@orama/stopwords/swedish')],
  ta: [() => import('@orama/stemmers/tamil'), () => import('@orama/stopwords/tamil')],
  tr: [() => import('@orama/stemmers/turkish'), () => import('@orama/stopwords/turkish')],
  uk: [() => import('@orama/stemmers/ukrainian'), () => import('@orama/stopwords/ukrainian')],
}
const aliases: Record<string, string> = { nb: 'no', nn: 'no', in: 'id' }
/** Language without a stemmer: words are compared unchanged. */
const unknownLanguage: Language = { stem: (word) => word, term: fold, stopWords: new Set() }

const loadedLanguages = new Map<string, Promise<Language>>()

/** Returns the supported language code of a tag such as `de-AT`; undefined for other languages. */
export function languageCode(tag: string | undefined): string | undefined {
  const code = tag?.toLowerCase().split(/[-_]/)[0] ?? ''
  const name = aliases[code] ?? code
  return name in modules ? name : undefined
}

/** Loads a language on its first use by a page or a query. */
export function loadLanguage(code: string | undefined): Promise<Language> {
  const languageModules = code === undefined ? undefined : modules[code]
  if (code === undefined || !languageModules) return Promise.resolve(unknownLanguage)
  let language = loadedLanguages.get(code)
  if (!language) {
    language = loadModules(languageModules)
    loadedLanguages.set(code, language)
  }
  return language
}

async function loadModules([stemmer, stopWords]: LanguageModules): Promise<Language> {
  const [{ stemmer: stem }, { stopwords }] = await Promise.all([stemmer(), stopWords()])
  const term = withCache((word) => fold(stem(word)))
  return { stem: withCache(stem), term, stopWords: new Set(stopwords) }
}

/**
 * Maximum number of stems per cache map. Most words of a page also occur on the next page. Two maps are used instead of
 * `lru-cache`, because each word of a page is looked up. A lookup takes 75 ns instead of 102 ns.
 */
const maxCachedStems = 20_000

function withCache(stem: (word: string) => string): (word: string) => string {
  let recent = new Map<string, string>()
  let older = new Map<string, string>()
  return (word) => {
    const cached = recent.get(word)
    if (cached !== undefined) return cached
    const result = older.get(word) ?? stem(word)
    if (recent.size >= maxCachedStems) {
      older = recent
      recent = new Map()
    }
    recent.set(word, result)
    return result
  }
}
