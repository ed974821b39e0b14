import { fold } from './words.ts'

/** How words of a language are reduced, and which of them say nothing about a page. */
export interface Language {
  stem(word: string): string
  /** The stem of a word without accents; empty for a word of marks alone. */
  term(word: string): string
  stopWords: ReadonlySet<string>
}

interface Parts {
  stemmer: () => Promise<{ stemmer(word: string): string }>
  stopWords: () => Promise<{ stopwords: string[] }>
}

/** By the code of a language as pages name it. */
const known: Record<string, Parts> = {
  ar: { stemmer: () => import('@orama/stemmers/arabic'), stopWords: () => import('@orama/stopwords/arabic') },
  bg: {
    stemmer: () => import('@orama/stemmers/bulgarian'),
    stopWords: () => import('@orama/stopwords/bulgarian'),
  },
  da: { stemmer: () => import('@orama/stemmers/danish'), stopWords: () => import('@orama/stopwords/danish') },
  de: { stemmer: () => import('@orama/stemmers/german'), stopWords: () => import('@orama/stopwords/german') },
  el: { stemmer: () => import('@orama/stemmers/greek'), stopWords: () => import('@orama/stopwords/greek') },
  en: {
    stemmer: () => import('@orama/stemmers/english'),
    stopWords: () => import('@orama/stopwords/english'),
  },
  es: {
    stemmer: () => import('@orama/stemmers/spanish'),
    stopWords: () => import('@orama/stopwords/spanish'),
  },
  fi: {
    stemmer: () => import('@orama/stemmers/finnish'),
    stopWords: () => import('@orama/stopwords/finnish'),
  },
  fr: { stemmer: () => import('@orama/stemmers/french'), stopWords: () => import('@orama/stopwords/french') },
  hi: { stemmer: () => import('@orama/stemmers/indian'), stopWords: () => import('@orama/stopwords/indian') },
  hu: {
    stemmer: () => import('@orama/stemmers/hungarian'),
    stopWords: () => import('@orama/stopwords/hungarian'),
  },
  id: {
    stemmer: () => import('@orama/stemmers/indonesian'),
    stopWords: () => import('@orama/stopwords/indonesian'),
  },
  it: {
    stemmer: () => import('@orama/stemmers/italian'),
    stopWords: () => import('@orama/stopwords/italian'),
  },
  lt: {
    stemmer: () => import('@orama/stemmers/lithuanian'),
    stopWords: () => import('@orama/stopwords/lithuanian'),
  },
  nl: { stemmer: () => import('@orama/stemmers/dutch'), stopWords: () => import('@orama/stopwords/dutch') },
  no: {
    stemmer: () => import('@orama/stemmers/norwegian'),
    stopWords: () => import('@orama/stopwords/norwegian'),
  },
  pt: {
    stemmer: () => import('@orama/stemmers/portuguese'),
    stopWords: () => import('@orama/stopwords/portuguese'),
  },
  ro: {
    stemmer: () => import('@orama/stemmers/romanian'),
    stopWords: () => import('@orama/stopwords/romanian'),
  },
  ru: {
    stemmer: () => import('@orama/stemmers/russian'),
    stopWords: () => import('@orama/stopwords/russian'),
  },
  sr: {
    stemmer: () => import('@orama/stemmers/serbian'),
    stopWords: () => import('@orama/stopwords/serbian'),
  },
  sv: {
    stemmer: () => import('@orama/stemmers/swedish'),
    stopWords: () => import('@orama/stopwords/swedish'),
  },
  ta: { stemmer: () => import('@orama/stemmers/tamil'), stopWords: () => import('@orama/stopwords/tamil') },
  tr: {
    stemmer: () => import('@orama/stemmers/turkish'),
    stopWords: () => import('@orama/stopwords/turkish'),
  },
  uk: {
    stemmer: () => import('@orama/stemmers/ukrainian'),
    stopWords: () => import('@orama/stopwords/ukrainian'),
  },
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

async function load({ stemmer, stopWords }: Parts): Promise<Language> {
  const [{ stemmer: stem }, { stopwords }] = await Promise.all([stemmer(), stopWords()])
  const term = remembered((word) => fold(stem(word)))
  return { stem: remembered(stem), term, stopWords: new Set(stopwords) }
}

/** Stems of this many words are remembered; most words of a page are met again on the next. */
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
