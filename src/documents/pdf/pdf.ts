import { availableParallelism } from 'node:os'
import { LiteParse } from '@llamaindex/liteparse'
import { limitConcurrency } from '../../platform/permits.ts'
import {
  type ConvertedDocument,
  type ConvertedPage,
  type ConvertOptions,
  DocumentProblem,
} from '../document.ts'
import { finish } from '../finish.ts'
import { recognise } from '../ocr/recognise.ts'
import type { DocumentType } from '../types/document-type.ts'
import { layOut } from './layout.ts'
import { type PdfText, readPdf } from './read-pdf.ts'
import type { RawPage } from './shapes.ts'

/** PDF: the text layer of the file, and OCR for pages without one. */
export async function convert(
  bytes: Buffer,
  _: DocumentType,
  options: ConvertOptions,
): Promise<ConvertedDocument> {
  const endsAt = performance.now() + options.withinMs
  const text = await readInParts(bytes, options.pdf.maxPages, endsAt - options.withinMs * 0.3)
  if (text.total === 0 || text.pages.length + text.failed.length === 0) {
    throw new DocumentProblem('empty', 'The PDF has no pages.')
  }
  const { pages: raw, warnings } = await complete(bytes, text, { ...options, endsAt })
  const pages = layOut(raw)
  if (text.late.length > 0)
    warnings.push(`There was not enough time for pages ${ranges(text.late)}. Raise timeout.`)
  if (text.failed.length > 0) warnings.push(`Pages ${ranges(text.failed)} are damaged and were left out.`)
  if (pages.length === 0) throw new DocumentProblem('damaged', 'No page of the PDF could be read.')
  if (pages.every((page) => page.markdown.trim() === '')) warnings.push('The PDF has no text.')
  return finish(joinPages(pages, options.pdf.pageMarkers), {
    paged: { total: text.total, pages },
    warnings,
    metadata: text.metadata,
  })
}

/** Pages that are read at a time: few enough to check the deadline in between. */
const part = 100

/** The text of the first pages, as many as are wanted and there is time for. */
async function readInParts(
  bytes: Buffer,
  most: number,
  until: number,
): Promise<PdfText & { late: number[] }> {
  const text = await readPdf(bytes, { from: 1, to: Math.min(part, most) })
  const wanted = Math.min(most, text.total)
  let from = part + 1
  for (; from <= wanted && performance.now() < until; from += part) {
    const next = await readPdf(bytes, { from, to: Math.min(from + part - 1, wanted) })
    text.pages.push(...next.pages)
    text.failed.push(...next.failed)
    for (const number of next.unreadable) text.unreadable.add(number)
  }
  return { ...text, late: Array.from({ length: Math.max(0, wanted - from + 1) }, (_, at) => from + at) }
}

interface Completed {
  pages: RawPage[]
  warnings: string[]
}

/** The pages according to the mode: with their text layer, by OCR, or listed as missing. */
async function complete(
  bytes: Buffer,
  text: PdfText,
  options: ConvertOptions & { endsAt: number },
): Promise<Completed> {
  const { mode } = options.pdf
  const wanted =
    mode === 'ocr' ? text.pages : text.pages.filter((page) => text.unreadable.has(page.pageNumber))
  if (wanted.length === 0) return { pages: text.pages, warnings: [] }
  const isAll = wanted.length === text.pages.length
  const numbers = ranges(wanted.map((page) => page.pageNumber))
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
  const how = {
    program: options.tesseract,
    endsAt: options.endsAt,
    atOnce: Math.min(4, availableParallelism()),
  }
  const found = await recognisePages(bytes, wanted, how)
  if (isAll && found.pages.length === 0) {
    throw new DocumentProblem('limit', 'OCR finished no page in time. Raise timeout.')
  }
  return merge(text.pages, wanted, found)
}

function merge(all: RawPage[], wanted: RawPage[], found: { pages: RawPage[]; late: number[] }): Completed {
  const replaced = new Set(wanted.map((page) => page.pageNumber))
  const kept = all.filter((page) => !replaced.has(page.pageNumber))
  const pages = [...kept, ...found.pages].toSorted((one, other) => one.pageNumber - other.pageNumber)
  const late = `There was not enough time for OCR of pages ${ranges(found.late)}. Raise timeout.`
  return { pages, warnings: found.late.length > 0 ? [late] : [] }
}

function joinPages(pages: ConvertedPage[], hasMarkers: boolean): string {
  if (!hasMarkers) return pages.map((page) => page.markdown).join('\n\n')
  return pages
    .map((page, at) => `${at > 0 ? '---\n\n' : ''}<!-- page ${page.pageNumber} -->\n\n${page.markdown}`)
    .join('\n\n')
}

/** 1, 2, 3, 7 → "1-3, 7". */
export function ranges(numbers: number[]): string {
  const parts: { from: number; to: number }[] = []
  for (const number of numbers.toSorted((one, other) => one - other)) {
    const last = parts.at(-1)
    if (last && number === last.to + 1) last.to = number
    else parts.push({ from: number, to: number })
  }
  return parts.map(({ from, to }) => (from === to ? `${from}` : `${from}-${to}`)).join(', ')
}

interface PageSize {
  pageNumber: number
  width: number
  height: number
}

interface Recognised {
  pages: RawPage[]
  /** Pages for which there was not enough time. */
  late: number[]
}

const wantedDpi = 220
/** A page of poster size is rendered at a lower resolution; otherwise its image would fill the memory. */
const maxPixelsPerSide = 3000
/** Left for what follows the recognition. */
const reserveMs = 1500

/** Renders pages and runs OCR on them, several at a time, until the deadline. */
async function recognisePages(
  bytes: Buffer,
  sizes: PageSize[],
  how: { program: string; endsAt: number; atOnce: number },
): Promise<Recognised> {
  const found: Recognised = { pages: [], late: [] }
  const limited = limitConcurrency(how.atOnce)
  let longest = 0
  const work = async (size: PageSize) => {
    const left = how.endsAt - performance.now() - reserveMs
    if (left < longest * 0.7 || left <= 0) return void found.late.push(size.pageNumber)
    const began = performance.now()
    const page = await recognisePage(bytes, size, how.program, AbortSignal.timeout(Math.ceil(left)))
    longest = Math.max(longest, performance.now() - began)
    if (page) found.pages.push(page)
    else found.late.push(size.pageNumber)
  }
  await Promise.all(sizes.map((size) => limited(() => work(size))))
  return found
}

/** Undefined after a timeout. */
async function recognisePage(
  bytes: Buffer,
  size: PageSize,
  program: string,
  signal: AbortSignal,
): Promise<RawPage | undefined> {
  const side = Math.max(size.width, size.height, 1)
  const dpi = Math.max(10, Math.min(wantedDpi, Math.floor((maxPixelsPerSide * 72) / side)))
  const parser = new LiteParse({ dpi, quiet: true, ocrEnabled: false })
  const [picture] = await parser.screenshot(bytes, [size.pageNumber])
  if (!picture || picture.isSolidFill) return { ...size, runs: [], tables: [], rules: [], source: 'ocr' }
  try {
    return await recognise(picture.imageBuffer, size, { program, signal })
  } catch (thrown) {
    if (signal.aborted) return undefined
    throw thrown
  }
}
