import { fold } from './words.ts'

export interface Language {
  stem(word: string): string
  /** Returns the stem of a word without accents; empty for a word of combining marks only. */
  term(word: string): string
  stopWords: ReadonlySet<string>
}

const moduleNames: Record<string, string> = {
  ...{ ar: 'arabic', bg: 'bulgarian', da: 'danish', de: 'german', el: 'greek', en: 'english' },
  ...{ es: 'spanish', fi: 'finnish', fr: 'french', hi: 'indian', hu: 'hungarian', id: 'indonesian' },
  ...{ it: 'italian', lt: 'lithuanian', nl: 'dutch', no: 'norwegian', pt: 'portuguese', ro: 'romanian' },
  ...{ ru: 'russian', sr: 'serbian', sv: 'swedish', ta: 'tamil', tr: 'turkish', uk: 'ukrainian' },
}
const aliases: Record<string, string> = { nb: 'no', nn: 'no', in: 'id' }
/** Language without a stemmer: words are compared unchanged. */
const unknownLanguage: Language = { stem: (word) => word, term: fold, stopWords: new Set() }

const loadedLanguages = new Map<string, Promise<Language>>()

/** Returns the code of a supported tag such as `de-AT`. */
export function languageCode(tag: string | undefined): string | undefined {
  const code = tag?.toLowerCase().split(/[-_]/)[0] ?? ''
  const name = aliases[code] ?? code
  return name in moduleNames ? name : undefined
}

export function loadLanguage(code: string | undefined): Promise<Language> {
  const moduleName = code === undefined ? undefined : moduleNames[code]
  if (code === undefined || moduleName === undefined) return Promise.resolve(unknownLanguage)
  const language = loadedLanguages.get(code) ?? loadModules(moduleName)
  loadedLanguages.set(code, language)
  return language
}

async function loadModules(name: string): Promise<Language> {
  const [{ stemmer: stem }, { stopwords }]: [Stemmer, StopWords] = await Promise.all([
    import(`@orama/stemmers/${name}`),
    import(`@orama/stopwords/${name}`),
  ])
  const term = withCache((word) => fold(stem(word)))
  return { stem: withCache(stem), term, stopWords: new Set(stopwords) }
}

type Stemmer = typeof import('@orama/stemmers/english')
type StopWords = typeof import('@orama/stopwords/english')

/** Two maps replace `lru-cache`, because each word of a page is looked up: 75 ns instead of 102 ns. */
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
