import type { MessagePort } from 'node:worker_threads'
import type { ContentOptions } from '../../content/content.ts'
import type { ShownDifference, ShownValueChanges } from '../../content/diff.ts'
import type { Page } from '../../content/page.ts'
import type { AnswerText } from '../../platform/check-answer-text.ts'
import type { PageClaims } from '../claims/ground.ts'
import type { Judgement, Judging } from '../judge/judge-page.ts'
import type { ExportForm } from '../page-data/export-document.ts'
import type { MadeParts, PartWishes } from '../page-data/parts.ts'
import type { ReadSchema } from '../schema/read-schema.ts'

/** What a thread is asked. */
export type ThreadOrder =
  | ReadingOrder
  | ComparingOrder
  | ExportingOrder
  | SchemaOrder
  | SelectorsOrder
  | PromptOrder
  | AnswerOrder
  | GroundingOrder
  | StoredPageOrder
  | MergingOrder

export interface ReadingOrder {
  kind: 'read'
  page: Page
  options: ContentOptions
  wishes: PartWishes
  judging: Judging
  /** Most bytes as JSON of what is made of the page. */
  mostBytes: number
  /** Where what the page can be found by goes, after the answer. */
  later?: MessagePort | undefined
}

/** Two versions of a page in UTF-8. */
export interface ComparingOrder {
  kind: 'compare'
  previous: Uint8Array
  current: Uint8Array
  showsDifference: boolean
  /** What they say of the fields of a schema, likewise. */
  values: { previous: Uint8Array; current: Uint8Array } | undefined
  mostBytes: number
}

/** A document as JSON in UTF-8. */
export interface ExportingOrder {
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
export interface SchemaOrder {
  kind: 'schema'
  schema: unknown
}

/** The CSS selectors of a caller. */
export interface SelectorsOrder {
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
export interface PromptOrder {
  kind: 'prompt'
  prompt: string
  paths: readonly string[]
}

/** An answer of a language model that has to fit a schema. */
export interface AnswerOrder {
  kind: 'answer'
  answer: AnswerText
}

/** What a language model claims of a page. */
export interface GroundingOrder {
  kind: 'ground'
  claims: PageClaims
}

/** The stored document of a page, in UTF-8. */
export interface StoredPageOrder {
  kind: 'stored-page'
  document: Uint8Array
  url: string
}

/** What several pages say by a schema. */
export interface MergingOrder {
  kind: 'merge'
  schema: unknown
  /** As `readStoredPage` wrote them. */
  pages: Uint8Array[]
}

/** What it made of the page. */
export interface Reading {
  judgement: Judgement | undefined
  /** Undefined where the page was judged first and is not good. */
  made: MadeParts | undefined
  /** In a crawl: the texts of this page. */
  texts: number[] | undefined
}

export interface ComparedVersions {
  isSame: boolean
  difference: ShownDifference | undefined
  values: ShownValueChanges | undefined
}
