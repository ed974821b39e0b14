import type { Redaction } from '../extraction/redaction/redact.ts'

/** Plain data, because it is sent between processes. */
export interface ConvertedDocument {
  markdown: string
  html: string
  metadata: Record<string, string>
  links: string[]
  images: string[]
  /** Only for files with pages. The converted pages determine the price. */
  paged?: { total: number; pages: ConvertedPage[] }
  warnings: string[]
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
  markdownSpan: [number, number]
  source: 'text' | 'ocr'
  /** From 0 to 1, for OCR only. */
  confidence?: number
}

export type BlockType = 'heading' | 'paragraph' | 'list' | 'table' | 'code'

interface PdfOptions {
  /** Only the text layer, the text layer and OCR for pages without it, or only OCR. */
  mode: 'fast' | 'auto' | 'ocr'
  maxPages: number
  pageMarkers: boolean
}

export interface ConvertOptions {
  pdf: PdfOptions
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
  | { kind: 'page'; mediaType: string }
  | { kind: 'raw'; mediaType: string }

/** Sent between processes as plain data; becomes an error with a code. */
export class DocumentProblem extends Error {
  readonly kind: ProblemKind

  constructor(kind: ProblemKind, message: string) {
    super(message)
    this.name = 'DocumentProblem'
    this.kind = kind
  }
}

export function createEncryptedProblem(subject: string): DocumentProblem {
  return new DocumentProblem(
    'encrypted',
    `The ${subject} is encrypted. Remove the password and send it again.`,
  )
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
