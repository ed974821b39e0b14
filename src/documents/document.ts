import type { Redaction } from '../extraction/redaction/redact.ts'

/** Plain data, because it is sent between processes. */
export interface ConvertedDocument {
  markdown: string
  html: string
  metadata: Record<string, string>
  links: string[]
  images: string[]
  paged?: { total: number; pages: ConvertedPage[] }
  warnings: string[]
}

export interface ConvertedPage {
  pageNumber: number
  width: number
  height: number
  markdown: string
  blocks: PageBlock[]
}

export interface PageBlock {
  type: BlockType
  /** Left, top, right and bottom edge, each as a share of the page from 0 to 1. */
  bbox: [number, number, number, number]
  content: string
  markdownSpan: [number, number]
  source: 'text' | 'ocr'
  confidence?: number
}

export type BlockType = 'heading' | 'paragraph' | 'list' | 'table' | 'code'

export interface ConvertOptions {
  /** Only the text layer, the text layer and OCR for pages without it, or only OCR. */
  pdf: { mode: 'fast' | 'auto' | 'ocr'; maxPages: number; pageMarkers: boolean }
  parses: boolean
  tesseract: string | undefined
  redaction?: Redaction | undefined
  timeoutMs: number
}

export interface ConversionRequest {
  path: string
  name: string
  mediaType: string | undefined
  options: ConvertOptions
}

/** Text, or the instruction to read the file as a page of that media type, or to return it unchanged. */
export type Conversion =
  | { kind: 'converted'; mediaType: string; document: ConvertedDocument }
  | { kind: 'page' | 'raw'; mediaType: string }

export class DocumentProblem extends Error {
  readonly kind: ProblemKind

  constructor(kind: ProblemKind, message: string) {
    super(message)
    this.name = 'DocumentProblem'
    this.kind = kind
  }
}

export const createEncryptedProblem = (subject: string) =>
  new DocumentProblem('encrypted', `The ${subject} is encrypted. Remove the password and send it again.`)

export type ProblemKind = keyof typeof problemCodes

export const problemCodes = {
  encrypted: 'DOCUMENT_ENCRYPTED',
  damaged: 'DOCUMENT_DAMAGED',
  empty: 'DOCUMENT_EMPTY',
  limit: 'DOCUMENT_LIMIT_EXCEEDED',
  unsupported: 'UNSUPPORTED_FILE_TYPE',
  'ocr-required': 'SCRAPE_PDF_OCR_REQUIRED',
  'ocr-missing': 'OCR_NOT_CONFIGURED',
  'temporary-folder-full': 'TEMPORARY_FOLDER_FULL',
} as const
