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

/** Request to a worker thread. Documents and versions of pages are in UTF-8. */
export type WorkerRequest =
  | ReadRequestMessage
  | CompareRequestMessage
  | { kind: 'export'; document: Uint8Array; form: ExportForm }
  | { kind: 'schema'; schema: unknown }
  | { kind: 'selectors'; selectors: readonly string[] }
  /** `paths` were seen on the site. */
  | { kind: 'prompt'; prompt: string; paths: readonly string[] }
  | { kind: 'answer'; answer: AnswerText }
  | { kind: 'ground'; claims: PageClaims }
  | { kind: 'stored-page'; document: Uint8Array; url: string }
  /** `pages` are values as `readStoredPage` serialized them. */
  | { kind: 'merge'; schema: unknown; pages: Uint8Array[] }

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

export interface CompareRequestMessage {
  kind: 'compare'
  previous: Uint8Array
  current: Uint8Array
  showsDifference: boolean
  values: { previous: Uint8Array; current: Uint8Array } | undefined
  maxBytes: number
}

export interface AnalyzedSchema extends ParsedSchema {
  /** Words of the field names, for finding relevant pages. */
  words: string
  isEmpty: boolean
}

export interface ReadResult {
  classification: PageClassification | undefined
  builtParts: BuiltParts | undefined
  /** Hashes of the texts of this page, only in a crawl. */
  texts: number[] | undefined
}

export interface ComparedVersions {
  isSame: boolean
  difference: SerialisedDifference | undefined
  values: SerialisedValueChanges | undefined
}
