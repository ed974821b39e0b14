import type { Redaction } from '../extraction/redaction/redact.ts'

/** The result of a converter: text and metadata, as plain data that can be sent between processes. */
export interface ConvertedDocument {
  markdown: string
  /** The same as HTML, for formats that read a tree. */
  html: string
  /** Title, author and the like, with the names of page metadata. */
  metadata: Record<string, string>
  links: string[]
  images: string[]
  /** Only of files that have pages. */
  paged?: PagedFacts
  warnings: string[]
}

interface PagedFacts {
  /** Pages of the file. */
  total: number
  /** Converted pages, which decide the price. */
  pages: ConvertedPage[]
}

export interface ConvertedPage {
  pageNumber: number
  width: number
  height: number
  status: 'ok' | 'partial' | 'failed'
  markdown: string
  blocks: PageBlock[]
}

export interface PageBlock {
  type: BlockType
  /** Left, top, right, bottom, each as a share of the page from 0 to 1. */
  bbox: [number, number, number, number]
  content: string
  /** Where the block stands in the Markdown of its page. */
  markdownSpan: [number, number]
  source: 'text' | 'ocr'
  /** Confidence of the OCR, from 0 to 1; undefined if the text was read from the file. */
  confidence?: number
}

export type BlockType = 'heading' | 'paragraph' | 'list' | 'table' | 'code'

/** How a PDF is read: its text layer, its text layer with OCR where that is missing, or only OCR. */
type PdfMode = 'fast' | 'auto' | 'ocr'

export interface PdfOptions {
  mode: PdfMode
  maxPages: number
  pageMarkers: boolean
}

/** What a converter gets in addition to the bytes. */
export interface ConvertOptions {
  pdf: PdfOptions
  /** False if the caller wants no parsing; the type of the file then decides the result. */
  parses: boolean
  /** The OCR program; undefined if there is none. */
  tesseract: string | undefined
  /** Personal data that is taken out of the text. */
  redaction?: Redaction | undefined
  /** Milliseconds until the caller stops waiting; finished parts are returned shortly before. */
  withinMs: number
}

/** One file to convert. */
export interface ConversionRequest {
  path: string
  name: string
  mediaType: string | undefined
  options: ConvertOptions
}

/** The result: text, or the instruction to read it as a page of that media type, or to return it unchanged. */
export type Conversion =
  | { kind: 'converted'; mediaType: string; document: ConvertedDocument }
  | { kind: 'page'; mediaType: string }
  | { kind: 'raw'; mediaType: string }

/** Converters throw this; it crosses the process border as plain data and becomes an error with a code. */
export class DocumentProblem extends Error {
  readonly kind: ProblemKind

  constructor(kind: ProblemKind, message: string) {
    super(message)
    this.name = 'DocumentProblem'
    this.kind = kind
  }
}

export type ProblemKind =
  | 'encrypted'
  | 'damaged'
  | 'empty'
  | 'limit'
  | 'unsupported'
  | 'ocr-required'
  | 'ocr-missing'
  | 'temporary-folder-full'
