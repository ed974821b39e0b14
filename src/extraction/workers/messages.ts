import type { MessagePort } from 'node:worker_threads'
import type { ContentOptions } from '../../content/content.ts'
import type { SerialisedDifference, SerialisedValueChanges } from '../../content/diff.ts'
import type { Page } from '../../content/page.ts'
import type { AnswerText } from '../../platform/check-answer-text.ts'
import type { ClassifyMode, PageClassification } from '../classify/classify-page.ts'
import type { PageClaims } from '../grounding/ground.ts'
import type { ExportForm } from '../page-parts/export-document.ts'
import type { BuiltParts, PartRequests } from '../page-parts/parts.ts'
import type { ParsedSchema } from '../schema/read-schema.ts'

/** Request to a worker thread. */
export type WorkerRequest =
  | ReadRequestMessage
  | CompareRequestMessage
  | ExportRequestMessage
  | SchemaRequestMessage
  | SelectorsRequestMessage
  | PromptRequestMessage
  | AnswerRequestMessage
  | GroundingRequestMessage
  | StoredPageRequestMessage
  | MergeRequestMessage

export interface ReadRequestMessage {
  kind: 'read'
  page: Page
  options: ContentOptions
  requestedParts: PartRequests
  classifyMode: ClassifyMode
  /** Maximum size of the parts, in bytes as JSON. */
  maxBytes: number
  /** Port for the search part, which is sent after the reply. */
  later?: MessagePort | undefined
}

/** Two versions of a page in UTF-8. */
export interface CompareRequestMessage {
  kind: 'compare'
  previous: Uint8Array
  current: Uint8Array
  showsDifference: boolean
  /** Field values of both versions as UTF-8. */
  values: { previous: Uint8Array; current: Uint8Array } | undefined
  maxBytes: number
}

/** JSON document in UTF-8. */
export interface ExportRequestMessage {
  kind: 'export'
  document: Uint8Array
  form: ExportForm
}

export interface ExportResult {
  url: string
  /** Exported text in UTF-8. */
  text: Uint8Array<ArrayBuffer> | undefined
}

/** JSON schema of a caller. */
export interface SchemaRequestMessage {
  kind: 'schema'
  schema: unknown
}

/** CSS selectors of a caller. */
export interface SelectorsRequestMessage {
  kind: 'selectors'
  selectors: readonly string[]
}

/** Parsed JSON schema, with derived properties. */
export interface AnalyzedSchema extends ParsedSchema {
  /** Words of the field names, for finding relevant pages. */
  words: string
  /** True if the schema has no readable field. */
  isEmpty: boolean
}

/** Prompt of a crawl, with paths that were seen on the site. */
export interface PromptRequestMessage {
  kind: 'prompt'
  prompt: string
  paths: readonly string[]
}

/** Language model response to validate against a schema. */
export interface AnswerRequestMessage {
  kind: 'answer'
  answer: AnswerText
}

/** Claims of a language model about a page. */
export interface GroundingRequestMessage {
  kind: 'ground'
  claims: PageClaims
}

/** Stored document of a page in UTF-8. */
export interface StoredPageRequestMessage {
  kind: 'stored-page'
  document: Uint8Array
  url: string
}

/** Values of several pages to merge by schema. */
export interface MergeRequestMessage {
  kind: 'merge'
  schema: unknown
  /** Page values as `readStoredPage` serialized them. */
  pages: Uint8Array[]
}

/** Result of a read request. */
export interface ReadResult {
  classification: PageClassification | undefined
  /** Parts of the page; undefined if the page was classified first and is not good. */
  builtParts: BuiltParts | undefined
  /** Hashes of the texts of this page, only in a crawl. */
  texts: number[] | undefined
}

export interface ComparedVersions {
  isSame: boolean
  difference: SerialisedDifference | undefined
  values: SerialisedValueChanges | undefined
}
