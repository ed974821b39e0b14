import { fold } from './words.ts'

/** How words of a language are reduced, and which of them say nothing about a page. */
export interface Language {
  stem(word: string): string
  /** The stem of a word without accents; empty for a word of marks alone. */
  term(word: string): string
  stopWords: ReadonlySet<string>
}

type Parts = readonly [
  stemmer: () => Promise<{ stemmer(word: string): string }>,
  stopWords: () => Promise<{ stopwords: string[] }>,
]

/** By the code of a language as pages name it. */
const known: Record<string, Parts> = {
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
/** Of languages that are not known here, words are compared as they stand. */
const asWritten: Language = { stem: (word) => word, term: fold, stopWords: new Set() }

const loaded = new Map<string, Promise<Language>>()

/** The code under which a language is known here, of a tag such as `de-AT`; undefined for others. */
export function languageCode(tag: string | undefined): string | undefined {
  const code = tag?.toLowerCase().split(/[-_]/)[0] ?? ''
  const name = aliases[code] ?? code
  return name in known ? name : undefined
}

/** Each is loaded when the first page or query is written in it. */
export function loadLanguage(code: string | undefined): Promise<Language> {
  const parts = code === undefined ? undefined : known[code]
  if (code === undefined || !parts) return Promise.resolve(asWritten)
  let language = loaded.get(code)
  if (!language) {
    language = load(parts)
    loaded.set(code, language)
  }
  return language
}

async function load([stemmer, stopWords]: Parts): Promise<Language> {
  const [{ stemmer: stem }, { stopwords }] = await Promise.all([stemmer(), stopWords()])
  const term = remembered((word) => fold(stem(word)))
  return { stem: remembered(stem), term, stopWords: new Set(stopwords) }
}

/**
 * Stems of this many words are remembered; most words of a page are met again on the next. Two maps instead of `lru-cache`,
 * because every word of a page is looked up here: 75 ns against 102 ns per word.
 */
const rememberedStems = 20_000

function remembered(stem: (word: string) => string): (word: string) => string {
  let recent = new Map<string, string>()
  let older = new Map<string, string>()
  return (word) => {
    const known = recent.get(word)
    if (known !== undefined) return known
    const found = older.get(word) ?? stem(word)
    if (recent.size >= rememberedStems) {
      older = recent
      recent = new Map()
    }
    recent.set(word, found)
    return found
  }
}
