import type { Language } from '../../reading/text/languages.ts'
import { fold, splitWords } from '../../reading/text/words.ts'
import { namesIn, wordsOfNames } from './doc-terms.ts'
import type { DocKind } from './section.ts'
import { synonymsOf } from './synonyms.ts'

/** A word of a question: the term itself, and terms that other people use for the same. */
export interface AskedWord {
  word: string
  term: string
  others: string[]
}

/** A question as the index understands it. */
export interface Asked {
  words: AskedWord[]
  /** How much sections of each kind count for it. */
  factors: Record<DocKind, number>
}

export interface Vocabulary {
  language: Language
  /** Whether a term stands anywhere in the documentation. */
  has(term: string): boolean
}

/** A question is not a text; what stands behind is not looked for. */
const mostWords = 100

export function readQuestion(question: string, vocabulary: Vocabulary): Asked {
  const { language } = vocabulary
  const plain = phrases.reduce((text, [phrase, word]) => text.replace(phrase, word), question)
  const all = splitWords(wordsOfNames(plain)).slice(0, mostWords)
  const telling = all.filter((word) => !language.stopWords.has(word) && !asking.has(word))
  const words = (telling.length > 0 ? telling : all).map((word) => askedWord(word, language))
  // A name in code stands in the index as it is, not by its stem.
  const asWritten = telling.filter((word) => fold(language.stem(word)) !== word && vocabulary.has(word))
  const whole = [...namesIn(question), ...asWritten, ...joined(all, vocabulary)]
  const named = whole.map((name) => ({ word: name, term: name, others: [] }))
  const known = new Set<string>()
  const distinct = [...named, ...words].filter(({ term }) => !known.has(term) && known.add(term))
  return { words: distinct.slice(0, mostWords), factors: factorsOf(question) }
}

function askedWord(word: string, language: Language): AskedWord {
  const term = fold(language.stem(word))
  return { word, term, others: synonymsOf(term, language).filter((other) => other !== term) }
}

/** Neighbouring words that are one word or one name here: "back up" is `backup`, "full page" is `fullPage`. */
function joined(words: readonly string[], { has }: Vocabulary): string[] {
  return words.flatMap((word, at) => {
    const pair = `${word}${words[at + 1] ?? ''}`
    const triple = `${pair}${words[at + 2] ?? ''}`
    const forms = at + 1 < words.length ? [pair] : []
    if (at + 2 < words.length) forms.unshift(triple)
    return forms.filter(has).slice(0, 1)
  })
}

/** Words that mean something together, as users say it. */
const phrases: [RegExp, string][] = [
  [/\b(?:log|logged|logging|sign|signed)[ -]?in\b/gi, 'login'],
  [/\b(?:turn|turned|switch|switched)\b(.{0,20}?)\boff\b/gi, 'disable$1'],
  [/\b(?:turn|turned|switch|switched)\b(.{0,20}?)\bon\b/gi, 'enable$1'],
  [/\btim(?:e|ed|es|ing)[ -]?out\b/gi, 'timeout'],
  [/\bself[ -]signed\b/gi, 'certificate'],
]

/** What users say of something that went wrong, of a bound, of an installation. */
const failing =
  /\b(?:error|errors|fail|fails|failed|failing|wrong|broken|refused|rejected|denied|forbidden|mean|means|problem|why|cannot|can't|doesn't|could not|was not|is not|not working|not found|timeout|timed out|[45]\d\d|get|got|getting)\b/i
const bounding =
  /\b(?:limit|limits|limited|maximum|max|most|largest|longest|biggest|how (?:many|long|large|big|much)|at most|too)\b/i

/** Who asks for one of these wants the reference; else a guide says more, with what belongs to it. */
const naming =
  /\b(?:endpoints?|routes?|api calls?|options?|parameters?|fields?|settings?|variables?|flags?|properties|property)\b/i
const referenceFactor = 0.8

/** Who asks about the command line, or comes from somewhere else, says so. */
const inTerminal =
  /\b(?:commands?|command line|terminal|cli|shell|npx|winnow (?:mcp|scrape|crawl|keys)|pipe)\b/i
const migrating = /\b(?:migrat\w*|switch(?:ing)? from|coming from|firecrawl|crawl4ai|jina|older|v1)\b/i
const elsewhereFactor = 0.65

function factorsOf(question: string): Record<DocKind, number> {
  const reference = naming.test(question) || namesIn(question).length > 0 ? 1 : referenceFactor
  return {
    guide: 1,
    command: inTerminal.test(question) ? 1.05 : elsewhereFactor,
    migration: migrating.test(question) ? 1.05 : elsewhereFactor,
    endpoint: reference,
    option: reference,
    field: reference,
    setting: reference,
    error: failing.test(question) ? 1.05 : 0.75,
    limit: bounding.test(question) ? 1.15 : 0.7,
  }
}

/** Words of questions themselves, and of their politeness: they stand in no answer. */
const asking = new Set(
  (
    'can could would should may might how what when where which who why does do did is are was get got want need ' +
    'try trying please help way possible use using make let tell know anybody someone something anything there ' +
    'happen happens happened mean means explain show example instead within certain just also actually ' +
    'take give put see like ' +
    'winnow i my me we our us you your it its this that these those a an the to of in on for with from by'
  ).split(' '),
)
