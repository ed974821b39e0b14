/** What a converter makes of a file: text, and facts about it, as plain data that can travel between processes. */
export interface ConvertedDocument {
  markdown: string
  /** The same as HTML, for formats that read a tree. */
  html: string
  /** Title, author and the like, by the names that page metadata has. */
  metadata: Record<string, string>
  links: string[]
  images: string[]
  /** Only of files that have pages. */
  paged?: PagedFacts
  warnings: string[]
}

export interface PagedFacts {
  /** Pages the file has. */
  total: number
  /** Pages that were converted, which is what is paid for. */
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
  /** How sure the recognition was, from 0 to 1; undefined where text was read from the file. */
  confidence?: number
}

export type BlockType = 'heading' | 'paragraph' | 'list' | 'table' | 'code'

/** How a PDF is read: its own text, its own text and recognition where that is missing, or recognition alone. */
export type PdfMode = 'fast' | 'auto' | 'ocr'

export interface PdfOptions {
  mode: PdfMode
  maxPages: number
  pageMarkers: boolean
}

/** What a converter is given, beside the bytes. */
export interface ConvertOptions {
  pdf: PdfOptions
  /** False where the caller wants nothing parsed; the type of the file says what becomes of it then. */
  parses: boolean
  /** Program that recognises text; undefined where there is none. */
  tesseract: string | undefined
  /** Milliseconds until the caller stops waiting: what is ready shortly before is returned. */
  withinMs: number
}

/** One file to convert. */
export interface ConversionOrder {
  path: string
  name: string
  mediaType: string | undefined
  options: ConvertOptions
}

/** What became of it: text, or the advice to read it as a page of that media type, or to hand it out as it is. */
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
