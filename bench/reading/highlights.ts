import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { readPage } from '../../src/content/content.ts'
import type { RenderContext, SentenceSimilarity } from '../../src/extraction/formats/format.ts'
import { type FormatRequest, planFormats, renderFormats } from '../../src/extraction/formats/index.ts'
import { buildParts, pageParts } from '../../src/extraction/page-parts/parts.ts'
import { silentLog } from '../../src/platform/log.ts'
import { createSentenceComparison } from '../../src/search/sentence-model/compare-sentences.ts'
import { createModelProcess } from '../../src/search/sentence-model/model-process.ts'
import { atLeast, atMost, type Figure, figure, MeasureError } from '../figure.ts'
import { bm25Highlights } from './bm25-highlights.ts'

/** Article with questions. Each question has the paragraph, the offset and the text of its answer. */
interface Article {
  title: string
  paragraphs: string[]
  questions: { q: string; p: number; at: number; a: string }[]
}

/** Measures how often the answering sentence is among the highlights, and the number of words of the highlights. */
export async function measureHighlights({
  options: { folder },
}: {
  options: { folder: string | undefined }
}): Promise<Figure[]> {
  const file = join(folder ?? '', 'squad.dev.json.gz')
  if (folder === undefined || !existsSync(file))
    throw new MeasureError('no questions. Name the folder of squad.dev.json.gz with BENCH_READING.')
  const articles = JSON.parse(gunzipSync(readFileSync(file)).toString()) as Article[]
  const similarity = loadSentenceModel()
  const scoreByWords = await measureScore(articles, (article, query) =>
    renderHighlights(article, query, undefined),
  )
  const baseline = await measureScore(articles, ({ paragraphs }, query) => bm25Highlights(paragraphs, query))
  const scoreWithModel =
    similarity &&
    (await measureScore(articles, (article, query) => renderHighlights(article, query, similarity)))
  const best = scoreWithModel ?? scoreByWords
  return [
    atLeast(
      `highlights: the answering sentence, ${scoreWithModel ? 'words and meaning' : 'words alone'}`,
      best.hit,
      0.88,
      '',
    ),
    atLeast('highlights: word for word', best.verbatim, 1, ''),
    atMost('highlights: words of an answer, mean', best.words, 120, ''),
    ...(scoreWithModel
      ? [figure('highlights: the answering sentence, words alone', scoreByWords.hit, '')]
      : []),
    ...(scoreWithModel
      ? [figure('highlights: words of an answer, mean, words alone', scoreByWords.words, '')]
      : []),
    figure('highlights: the answering sentence, four sentences by BM25', baseline.hit, ''),
    figure('highlights: words of an answer, mean, four by BM25', baseline.words, ''),
    atMost('highlights: CPU per question, words alone', scoreByWords.cpuMs, 60, 'ms'),
  ]
}

interface Score {
  hit: number
  verbatim: number
  words: number
  cpuMs: number
}

async function measureScore(
  articles: readonly Article[],
  getHighlights: (article: Article, query: string) => Promise<string>,
): Promise<Score> {
  const sums: Score = { hit: 0, verbatim: 0, words: 0, cpuMs: 0 }
  let count = 0
  for (const article of articles) {
    const page = normalize(article.paragraphs.join(' '))
    for (const question of article.questions) {
      const before = process.cpuUsage()
      const text = await getHighlights(article, question.q)
      const { user, system } = process.cpuUsage(before)
      const lines = text.split(/\n+/).map(normalize)
      count += 1
      sums.cpuMs += (user + system) / 1000
      sums.words += normalize(text).split(' ').length
      sums.hit += normalize(text).includes(normalize(findAnswerSentence(article, question))) ? 1 : 0
      sums.verbatim += lines.every((line) => page.includes(line) || line === normalize(article.title)) ? 1 : 0
    }
  }
  const mean = (sum: number) => sum / Math.max(count, 1)
  return {
    hit: mean(sums.hit),
    verbatim: mean(sums.verbatim),
    words: mean(sums.words),
    cpuMs: mean(sums.cpuMs),
  }
}

/** Returns the text between the full stops before and after the answer. */
function findAnswerSentence({ paragraphs }: Article, { p, at, a }: Article['questions'][number]): string {
  const text = paragraphs[p] ?? ''
  const [start, end] = [text.lastIndexOf('. ', at - 1), text.indexOf('. ', at + a.length - 1)]
  return text.slice(start < 0 ? 0 : start + 2, end < 0 ? text.length : end + 1)
}

function normalize(text: string): string {
  return (
    text
      .normalize('NFKC')
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(' ')
}

const content = { onlyMainContent: false, includeTags: [], excludeTags: [], removeBase64Images: true }
const { signal } = new AbortController()

async function renderHighlights(
  { title, paragraphs }: Article,
  query: string,
  sentences: SentenceSimilarity | undefined,
): Promise<string> {
  const texts = paragraphs.map((paragraph) => `<p>${escapeHtml(paragraph)}</p>`).join('\n')
  const html = `<html lang="en"><title>${escapeHtml(title)}</title><main><h1>${escapeHtml(title)}</h1>${texts}</main>`
  const url = 'https://articles.example/'
  const page = {
    ...{ requestedUrl: url, url, status: 200, headers: { 'content-type': 'text/html; charset=utf-8' } },
    ...{ bytes: Buffer.from(html), fetchedAt: 0 },
  }
  const formats: FormatRequest[] = [{ type: 'highlights', query }]
  const { requestedParts } = planFormats({ formats, onlyCleanContent: false }, true)
  const parts = pageParts(await buildParts(readPage(page, content), url, requestedParts))
  const renderContext: RenderContext = {
    ...{ page, isFile: false, storeFile: async () => '', history: undefined, sentences, signal },
    ...{
      audio: async () => ({ reason: 'none' }),
      model: undefined,
      work: {
        readSchema: () => Promise.reject(new Error('no schema was given')),
        ground: () => Promise.reject(new Error('no claims were made')),
      },
      warn: () => undefined,
      waive: () => undefined,
    },
  }
  const { fields } = await renderFormats(formats, parts, renderContext)
  return String(fields.highlights ?? '')
}

const escapeHtml = (text: string) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;')

/** Returns the installed sentence model; `SEARCH_SENTENCE_MODEL=off` measures without it. */
function loadSentenceModel(): SentenceSimilarity | undefined {
  const prepared = join(import.meta.dirname, '..', '..', '.prepared', 'sentence-model')
  const folder = process.env.SEARCH_SENTENCE_MODEL ?? prepared
  if (!existsSync(folder)) return undefined
  return createSentenceComparison(createModelProcess({ folder }, silentLog), silentLog)({ team: 'bench' })
}
