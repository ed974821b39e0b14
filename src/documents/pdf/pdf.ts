import { availableParallelism } from 'node:os'
import { LiteParse } from '@llamaindex/liteparse'
import { limitConcurrency } from '../../platform/permits.ts'
import { type ConvertedPage, type ConvertOptions, DocumentProblem } from '../document.ts'
import { toConvertedDocument } from '../finish.ts'
import { recognise } from '../ocr/recognise.ts'
import type { Convert } from '../types/document-type.ts'
import { layOut } from './layout.ts'
import { type PdfText, readPdf } from './read-pdf.ts'
import type { RawPage } from './shapes.ts'

export const convert: Convert = async (bytes, _, options) => {
  const endsAt = performance.now() + options.timeoutMs
  const text = await readInParts(bytes, options.pdf.maxPages, endsAt - options.timeoutMs * 0.3)
  if (text.total === 0 || text.pages.length + text.failed.length === 0) {
    throw new DocumentProblem('empty', 'The PDF has no pages.')
  }
  const { pages: raw, warnings } = await completePages(bytes, text, { ...options, endsAt })
  const pages = layOut(raw)
  if (text.timedOut.length > 0)
    warnings.push(`There was not enough time for pages ${formatRanges(text.timedOut)}. Raise timeout.`)
  if (text.failed.length > 0)
    warnings.push(`Pages ${formatRanges(text.failed)} are damaged and were left out.`)
  if (pages.length === 0) throw new DocumentProblem('damaged', 'No page of the PDF could be read.')
  if (pages.every((page) => page.markdown.trim() === '')) warnings.push('The PDF has no text.')
  return toConvertedDocument(joinPages(pages, options.pdf.pageMarkers), {
    paged: { total: text.total, pages },
    warnings,
    metadata: text.metadata,
  })
}

const pagesPerRead = 100

async function readInParts(bytes: Buffer, maxPages: number, deadline: number) {
  const text = await readPdf(bytes, { from: 1, to: Math.min(pagesPerRead, maxPages) })
  const pageCount = Math.min(maxPages, text.total)
  let from = pagesPerRead + 1
  for (; from <= pageCount && performance.now() < deadline; from += pagesPerRead) {
    const next = await readPdf(bytes, { from, to: Math.min(from + pagesPerRead - 1, pageCount) })
    text.pages.push(...next.pages)
    text.failed.push(...next.failed)
    for (const number of next.unreadable) text.unreadable.add(number)
  }
  const timedOut = Array.from({ length: Math.max(0, pageCount - from + 1) }, (_, at) => from + at)
  return { ...text, timedOut }
}

async function completePages(bytes: Buffer, text: PdfText, options: ConvertOptions & { endsAt: number }) {
  const { mode } = options.pdf
  const ocrPages =
    mode === 'ocr' ? text.pages : text.pages.filter((page) => text.unreadable.has(page.pageNumber))
  if (ocrPages.length === 0) return { pages: text.pages, warnings: [] }
  const isAll = ocrPages.length === text.pages.length
  const numbers = formatRanges(ocrPages.map((page) => page.pageNumber))
  if (mode === 'fast') {
    const message = `The PDF has no text layer on pages ${numbers}; use mode "auto" or "ocr".`
    if (isAll) throw new DocumentProblem('ocr-required', message)
    return { pages: text.pages, warnings: [message] }
  }
  if (options.tesseract === undefined) {
    const message = `Pages ${numbers} are images of text, and no OCR program was found.`
    if (isAll) throw new DocumentProblem('ocr-missing', message)
    return { pages: text.pages, warnings: [message] }
  }
  const ocr = { program: options.tesseract, endsAt: options.endsAt }
  const ocrResult = await recognisePages(bytes, ocrPages, ocr)
  if (isAll && ocrResult.pages.length === 0) {
    throw new DocumentProblem('limit', 'OCR finished no page in time. Raise timeout.')
  }
  const replaced = new Set(ocrPages.map((page) => page.pageNumber))
  const textPages = text.pages.filter((page) => !replaced.has(page.pageNumber))
  const pages = [...textPages, ...ocrResult.pages].toSorted((a, b) => a.pageNumber - b.pageNumber)
  const warning = `There was not enough time for OCR of pages ${formatRanges(ocrResult.timedOut)}. Raise timeout.`
  return { pages, warnings: ocrResult.timedOut.length > 0 ? [warning] : [] }
}

function joinPages(pages: ConvertedPage[], hasMarkers: boolean): string {
  if (!hasMarkers) return pages.map((page) => page.markdown).join('\n\n')
  return pages
    .map((page, at) => `${at > 0 ? '---\n\n' : ''}<!-- page ${page.pageNumber} -->\n\n${page.markdown}`)
    .join('\n\n')
}

export function formatRanges(numbers: number[]): string {
  const parts: { from: number; to: number }[] = []
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = parts.at(-1)
    if (last && number === last.to + 1) last.to = number
    else parts.push({ from: number, to: number })
  }
  return parts.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}

type PageSize = Pick<RawPage, 'pageNumber' | 'width' | 'height'>

const targetDpi = 220
/** Limits the resolution of a poster, whose image would otherwise fill the memory. */
const maxPixelsPerSide = 3000
const reserveMs = 1500

async function recognisePages(bytes: Buffer, sizes: PageSize[], ocr: { program: string; endsAt: number }) {
  const pages: RawPage[] = []
  const timedOut: number[] = []
  const limited = limitConcurrency(Math.min(4, availableParallelism()))
  let maxMs = 0
  const work = async (size: PageSize) => {
    const remainingMs = ocr.endsAt - performance.now() - reserveMs
    if (remainingMs < maxMs * 0.7 || remainingMs <= 0) return void timedOut.push(size.pageNumber)
    const startedAt = performance.now()
    const page = await recognisePage(bytes, size, ocr.program, AbortSignal.timeout(Math.ceil(remainingMs)))
    maxMs = Math.max(maxMs, performance.now() - startedAt)
    if (page) pages.push(page)
    else timedOut.push(size.pageNumber)
  }
  await Promise.all(sizes.map((size) => limited(() => work(size))))
  return { pages, timedOut }
}

async function recognisePage(bytes: Buffer, size: PageSize, program: string, signal: AbortSignal) {
  const side = Math.max(size.width, size.height, 1)
  const dpi = Math.max(10, Math.min(targetDpi, Math.floor((maxPixelsPerSide * 72) / side)))
  const parser = new LiteParse({ dpi, quiet: true, ocrEnabled: false })
  const [image] = await parser.screenshot(bytes, [size.pageNumber])
  if (!image || image.isSolidFill) return { ...size, runs: [], tables: [], rules: [], source: 'ocr' as const }
  try {
    return await recognise(image.imageBuffer, size, { program, signal })
  } catch (thrown) {
    if (signal.aborted) return undefined
    throw thrown
  }
}
