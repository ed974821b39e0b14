import { DatabaseSync } from 'node:sqlite'
import { choosePassages } from '../../extraction/passages/choose-passages.ts'
import { findPassages } from '../../extraction/passages/find-passages.ts'
import { type PageSentences, pageSentences, textBlocks } from '../../extraction/passages/markdown-blocks.ts'
import { loadLanguage } from '../../extraction/text/languages.ts'
import type { SentenceLanguage } from '../../extraction/text/split-sentences.ts'
import { splitWords } from '../../extraction/text/words.ts'
import { AppError } from '../../platform/errors.ts'
import { lazy } from '../../platform/functions.ts'
import { jsonFile } from '../../platform/json/json.ts'
import { createTimeSlice } from '../../platform/time-slice.ts'
import { quote } from '../index/sqlite-page-index.ts'
import { type DocSection, readDocs } from './read-docs.ts'

export interface FoundDoc extends Pick<DocSection, 'pathOrUrl' | 'title' | 'headings' | 'text'> {
  passages: string[]
  score: number
  words: string[]
}

/** Returns the sections that answer a question, best first; none if the documentation does not cover it. */
export type SearchDocs = (question: string, limit: number) => Promise<FoundDoc[]>

/** The first sections decide whether the documentation covers a question. */
const maxInspected = 5
/** A section with less of the question's words answers another question. */
const minCoverage = 0.34
const passageOptions = { minShare: 0.6, enoughWords: 40, maxWords: 90, maxSentences: 3 }

/** Searches the documentation in `root`, the folder with `README.md` and `docs`. The first question builds the index. */
export function docsSearch({ root }: { root: string }): SearchDocs {
  const getIndex = lazy(async () => {
    const [sections, language] = await Promise.all([
      readDocs(root).catch(throwDocsMissing),
      loadLanguage('en'),
    ])
    const findSections = await buildDocsIndex(sections, language.stopWords)
    return { findSections, language: { ...language, code: 'en' } }
  })
  return async (question, limit) => {
    const { findSections, language } = await getIndex()
    const hits = findSections(question, Math.max(limit, maxInspected))
    // Results are not cached: a fast response would reveal that another client has sent the same question.
    if (!hits.slice(0, maxInspected).some(({ coverage }) => coverage >= minCoverage)) return []
    const timeSlice = createTimeSlice()
    const docs: FoundDoc[] = []
    for (const { section, score, words } of hits.slice(0, limit)) {
      const { candidates } = findPassages(sentencesOf(section, language), question, language)
      const passages = choosePassages(candidates, passageOptions).map(({ text }) => text)
      const { pathOrUrl, title, headings, text } = section
      docs.push({ pathOrUrl, title, headings, text, passages, score, words })
      if (timeSlice.isDue()) await timeSlice.take()
    }
    return docs
  }
}

const hint =
  'Install README.md, SECURITY.md and the folder docs beside src. The reference is at /docs/reference.'

export function throwDocsMissing(cause: unknown): never {
  const message = `Not available on this installation: its documentation cannot be read. ${hint}`
  throw new AppError('FEATURE_NOT_AVAILABLE', { feature: 'documentation', hint }, { message, cause })
}

/** The documentation does not change while the service runs. */
const sentenceCache = new WeakMap<DocSection, PageSentences>()

function sentencesOf(section: DocSection, language: SentenceLanguage): PageSentences {
  const sentences = sentenceCache.get(section) ?? pageSentences(section.text, language)
  sentenceCache.set(section, sentences)
  return sentences
}

/** Search words per section that users type and the section does not contain. They are never quoted. */
export const readKeywords = jsonFile<Record<string, string>>(new URL('./keywords.json', import.meta.url))

/** Both limit the CPU time of a question. */
const maxWords = 40
const maxRankedEntries = 1200
/** The scores of further blocks are too low for any section weight to compensate. */
const maxBlocks = 200

async function buildDocsIndex(sections: readonly DocSection[], stopWords: ReadonlySet<string>) {
  const database = new DatabaseSync(':memory:')
  // The table stores no text, because the sections contain it.
  database.exec(`
    CREATE VIRTUAL TABLE block USING fts5(title, headings, body, content = '', tokenize = 'porter unicode61');
    INSERT INTO block(block, rank) VALUES ('rank', 'bm25(6.0, 1.0, 1.0)');
    BEGIN`)
  const insert = database.prepare('INSERT INTO block(rowid, title, headings, body) VALUES (?, ?, ?, ?)')
  const sectionOf: DocSection[] = []
  const rows = new Map<DocSection, [first: number, last: number]>()
  const keywords = readKeywords()
  const timeSlice = createTimeSlice()
  for (const section of sections) {
    const first = sectionOf.length
    const title = withNameParts(`${section.title} ${keywords[section.key] ?? ''}`)
    const headings = withNameParts(section.headings.join(' '))
    for (const text of splitSection(section))
      insert.run(sectionOf.push(section) - 1, title, headings, withNameParts(text))
    rows.set(section, [first, sectionOf.length - 1])
    if (timeSlice.isDue()) await timeSlice.take()
  }
  database.exec('COMMIT')
  const { countRows, rankRows, isInRows } = prepareQueries(database)
  const countUses = (words: readonly string[]) => words.map((word) => ({ word, uses: countRows(word) }))
  const rarity = (uses: number) => Math.log(1 + sectionOf.length / (uses + 0.5))
  const sumRarity = (words: readonly { uses: number }[]) =>
    words.reduce((sum, { uses }) => sum + rarity(uses), 0)
  return (question: string, limit: number) => {
    const { words, pairs } = readQuestion(question, stopWords)
    const counted = countUses(words)
    const scores = new Map<DocSection, number>()
    const weightOf = weightsFor(question)
    for (const { row, score } of rankRows(selectRarest([...counted, ...countUses(pairs)]))) {
      const section = sectionOf[row]
      if (section) scores.set(section, Math.max(scores.get(section) ?? 0, score * weightOf(section)))
    }
    return [...scores]
      .sort(([, one], [, other]) => other - one)
      .slice(0, limit)
      .map(([section, score]) => {
        const range = rows.get(section)
        const matched = counted.filter(({ word, uses }) => uses > 0 && range && isInRows(word, range))
        const coverage = sumRarity(matched) / sumRarity(counted)
        return { section, score, coverage, words: matched.map(({ word }) => word) }
      })
  }
}

function selectRarest(words: readonly { word: string; uses: number }[]): string[] {
  const indexed = words.filter(({ uses }) => uses > 0).sort((one, other) => one.uses - other.uses)
  let entries = 0
  const isWithin = ({ uses }: { uses: number }) => {
    entries += uses
    return entries === uses || entries <= maxRankedEntries
  }
  return indexed.filter(isWithin).map(({ word }) => word)
}

/** Ranking by blocks finds a section by a single paragraph, regardless of the length of the section. */
function splitSection({ text }: DocSection): string[] {
  const code = text.match(/^(`{3,})(?:.|\n)*?^\1$/gm) ?? []
  const texts = [...textBlocks(text).map((block) => block.text), ...code]
  return texts.length === 0 ? [text] : texts
}

const camelCase = /\b[a-z][a-z0-9]*[A-Z][a-zA-Z0-9]*/g
const snakeCase = /\b[A-Za-z0-9]+(?:_[A-Za-z0-9]+)+/g
const namesIn = (text: string, pattern: RegExp): string[] => text.match(pattern) ?? []
const splitName = (name: string) => name.replace(/([a-z0-9])([A-Z])/g, '$1 $2')

/** The tokenizer does not split names such as `waitFor`. */
const withNameParts = (text: string) => [text, ...namesIn(text, camelCase).map(splitName)].join(' ')

function readQuestion(question: string, stopWords: ReadonlySet<string>) {
  const all = splitWords(splitName(question)).slice(0, maxWords)
  const meaningful = all.filter((word) => !stopWords.has(word) && !fillerWords.has(word))
  const names = [...namesIn(question, camelCase), ...namesIn(question, snakeCase)].slice(0, maxWords)
  const words = new Set([
    ...names.map((name) => name.toLowerCase()),
    ...(meaningful.length > 0 ? meaningful : all),
  ])
  // Adjacent words may be one word in the documentation: "back up" is `backup`, "full page" is `fullPage`.
  const pairs = all.slice(1).map((word, at) => `${all[at]}${word}`)
  return { words: [...words], pairs }
}

const politeWords =
  'want need try trying please help way possible use using make let tell know happen mean explain show example instead certain winnow'
const fillerWords = new Set(politeWords.split(' '))

const aboutFailure =
  /\b(?:errors?|fail(?:s|ed|ing)?|wrong|broken|refused|rejected|denied|forbidden|means?|problem|why|cannot|can't|doesn't|(?:could|was|is) not|not (?:working|found)|timeout|timed out|[45]\d\d|get|got|getting)\b/i
const aboutLimit =
  /\b(?:limit(?:s|ed)?|max(?:imum)?|most|largest|longest|biggest|how (?:many|long|large|big|much)|too)\b/i

/** Sections about errors and limits contain words of many topics, so they count less for other questions. */
function weightsFor(question: string): (section: DocSection) => number {
  const error = aboutFailure.test(question) ? 1.05 : 0.75
  const limit = aboutLimit.test(question) ? 1.15 : 0.7
  return ({ kind, weight }) => (kind === 'error' ? error : kind === 'limit' ? limit : weight)
}

function prepareQueries(database: DatabaseSync) {
  const count = database.prepare('SELECT count(*) AS count FROM block WHERE block MATCH ?')
  const rank = database.prepare(
    `SELECT rowid, rank FROM block WHERE block MATCH ? ORDER BY rank LIMIT ${maxBlocks}`,
  )
  const inRows = database.prepare('SELECT 1 FROM block WHERE block MATCH ? AND rowid BETWEEN ? AND ? LIMIT 1')
  return {
    countRows: (word: string) => Number(count.get(quote(word))?.count),
    rankRows: (words: readonly string[]) =>
      (words.length === 0 ? [] : rank.all(words.map(quote).join(' OR '))).map((row) => ({
        row: Number(row.rowid),
        score: -Number(row.rank),
      })),
    isInRows: (word: string, [first, last]: readonly [number, number]) =>
      inRows.get(quote(word), first, last) !== undefined,
  }
}
