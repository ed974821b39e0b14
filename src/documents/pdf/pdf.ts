import { availableParallelism } from 'node:os'
import {
  type ConvertedDocument,
  type ConvertedPage,
  type ConvertOptions,
  DocumentProblem,
} from '../document.ts'
import { finish } from '../finish.ts'
import type { DocumentType } from '../types/document-type.ts'
import { layOut } from './layout.ts'
import { type PdfText, readPdf } from './read-pdf.ts'
import { recognisePages } from './recognise-pages.ts'
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
