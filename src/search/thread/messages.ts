import type { PermitOwner } from '../../base/permits.ts'
import type { PageToIndex } from '../index/index-page.ts'
import type { IndexAnswer, IndexSearch } from '../index/search-index.ts'
import type { Passage } from '../passages/passage.ts'
import type { Query } from '../query/query.ts'
import type { EmbedOutcome } from '../sentence-model/model-process.ts'

/** A page that waits to be indexed; its fields are JSON, packed. */
export interface PendingPage extends Omit<PageToIndex, 'fields'> {
  teamId: string
  /** Empty where the page is there no more. */
  fields: Uint8Array
}

/** What the thread of the index is asked. */
export type SearchOrder =
  | { kind: 'index'; pages: PendingPage[] }
  | { kind: 'search'; wanted: IndexSearch }
  | { kind: 'mark'; query: Query; texts: string[] }
  | { kind: 'sweep'; now: number }
  | { kind: 'forget'; teamId: string }
  | { kind: 'embed'; now: number }

/** What it answers, by what it was asked. */
export interface SearchAnswers {
  /** How many documents are new or have changed, and how many pages could not be read. */
  index: { changed: number; unread: number }
  search: IndexAnswer
  /** Of each text, where words of the query stand in it. */
  mark: Passage['marks'][]
  /** How many documents were removed. */
  sweep: number
  /** Nothing is left of the team. */
  forget: true
  /** Whether documents are left that wait for a vector, and why none is made where that is so. */
  embed: { isDone: boolean; obstacle?: string }
}

/** A request of the index thread for vectors, which the main thread passes on to the process of the model. */
export interface EmbedMessage {
  embedId: number
  texts: string[]
  who: PermitOwner
}

export type ThreadOutcome = EmbedOutcome & { isLate?: boolean }

export interface VectorsMessage {
  embedId: number
  outcome: ThreadOutcome
}

export interface OrderMessage {
  id: number
  order: SearchOrder
}

export type AnswerMessage =
  | { id: number; done: SearchAnswers[SearchOrder['kind']] }
  | { id: number; problem: unknown }
