import type { MessagePort } from 'node:worker_threads'
import type { ContentOptions } from '../../content/content.ts'
import type { ShownDifference, ShownValueChanges } from '../../content/diff.ts'
import type { Page } from '../../content/page.ts'
import type { AnswerText } from '../../platform/check-answer-text.ts'
import type { ClassifyMode, PageClassification } from '../classify/classify-page.ts'
import type { PageClaims } from '../grounding/ground.ts'
import type { ExportForm } from '../page-parts/export-document.ts'
import type { BuiltParts, PartRequests } from '../page-parts/parts.ts'
import type { ReadSchema } from '../schema/read-schema.ts'

/** What a thread is asked. */
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
  wishes: PartRequests
  judging: ClassifyMode
  /** Most bytes as JSON of what is made of the page. */
  maxBytes: number
  /** Where what the page can be found by goes, after the answer. */
  later?: MessagePort | undefined
}

/** Two versions of a page in UTF-8. */
export interface CompareRequestMessage {
  kind: 'compare'
  previous: Uint8Array
  current: Uint8Array
  showsDifference: boolean
  /** What they say of the fields of a schema, likewise. */
  values: { previous: Uint8Array; current: Uint8Array } | undefined
  maxBytes: number
}

/** A document as JSON in UTF-8. */
export interface ExportRequestMessage {
  kind: 'export'
  document: Uint8Array
  form: ExportForm
}

export interface Exported {
  url: string
  /** In UTF-8. */
  text: Uint8Array<ArrayBuffer> | undefined
}

/** The JSON schema of a caller. */
export interface SchemaRequestMessage {
  kind: 'schema'
  schema: unknown
}

/** The CSS selectors of a caller. */
export interface SelectorsRequestMessage {
  kind: 'selectors'
  selectors: readonly string[]
}

/** A JSON schema as the readers use it, and what else is known of it. */
export interface SchemaFacts extends ReadSchema {
  /** The words of its names, by which pages are found. */
  words: string
  /** True if it names nothing that could be read. */
  asksForNothing: boolean
}

/** The prompt of a crawl, and paths that were seen on its site. */
export interface PromptRequestMessage {
  kind: 'prompt'
  prompt: string
  paths: readonly string[]
}

/** An answer of a language model that has to fit a schema. */
export interface AnswerRequestMessage {
  kind: 'answer'
  answer: AnswerText
}

/** What a language model claims of a page. */
export interface GroundingRequestMessage {
  kind: 'ground'
  claims: PageClaims
}

/** The stored document of a page, in UTF-8. */
export interface StoredPageRequestMessage {
  kind: 'stored-page'
  document: Uint8Array
  url: string
}

/** What several pages say by a schema. */
export interface MergeRequestMessage {
  kind: 'merge'
  schema: unknown
  /** As `readStoredPage` wrote them. */
  pages: Uint8Array[]
}

/** What it made of the page. */
export interface Reading {
  judgement: PageClassification | undefined
  /** Undefined where the page was judged first and is not good. */
  made: BuiltParts | undefined
  /** In a crawl: the texts of this page. */
  texts: number[] | undefined
}

export interface ComparedVersions {
  isSame: boolean
  difference: ShownDifference | undefined
  values: ShownValueChanges | undefined
}
