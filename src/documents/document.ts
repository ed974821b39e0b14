import type { Redaction } from '../extraction/redaction/redact.ts'

/** Result of a converter: text and metadata, as plain data that can be sent between processes. */
export interface ConvertedDocument {
  markdown: string
  /** The same content as HTML, for formats that need a tree. */
  html: string
  /** Title, author and similar values, under the names of page metadata. */
  metadata: Record<string, string>
  links: string[]
  images: string[]
  /** Present only for files with pages. */
  paged?: PagedContent
  warnings: string[]
}

interface PagedContent {
  /** Number of pages in the file. */
  total: number
  /** Converted pages, which determine the price. */
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
  /** Left, top, right and bottom edge, each as a share of the page from 0 to 1. */
  bbox: [number, number, number, number]
  content: string
  /** Start and end offset of the block in the Markdown of its page. */
  markdownSpan: [number, number]
  source: 'text' | 'ocr'
  /** Confidence of the OCR from 0 to 1; undefined if the text was read from the file. */
  confidence?: number
}

export type BlockType = 'heading' | 'paragraph' | 'list' | 'table' | 'code'

/** Source of PDF text: only the text layer, the text layer and OCR for pages without it, or only OCR. */
type PdfMode = 'fast' | 'auto' | 'ocr'

export interface PdfOptions {
  mode: PdfMode
  maxPages: number
  pageMarkers: boolean
}

/** Options of a converter. */
export interface ConvertOptions {
  pdf: PdfOptions
  /** False if the caller requested no parsing; the file type then determines the result. */
  parses: boolean
  /** Path of the OCR program; undefined if there is none. */
  tesseract: string | undefined
  /** Personal data to remove from the text. */
  redaction?: Redaction | undefined
  /** Milliseconds until the caller stops waiting; finished parts are returned shortly before. */
  timeoutMs: number
}

/** Request to convert one file. */
export interface ConversionRequest {
  path: string
  name: string
  mediaType: string | undefined
  options: ConvertOptions
}

/**
 * Result of a conversion: text, or the instruction to read the file as a page of that media type, or to return it
 * unchanged.
 */
export type Conversion =
  | { kind: 'converted'; mediaType: string; document: ConvertedDocument }
  | { kind: 'page'; mediaType: string }
  | { kind: 'raw'; mediaType: string }

/** Error of a converter. It is sent between processes as plain data and becomes an error with a code. */
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
