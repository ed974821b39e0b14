import type { MadeVectors, VectorsWanted, VectorTask } from '../index/make-vectors.ts'
import type { PageToIndex } from '../index/page-documents.ts'
import type { RebuildState } from '../index/rebuild.ts'
import type { IndexResult, IndexSearch } from '../index/search-index.ts'
import type { Passage } from '../passages/passage.ts'
import type { Query } from '../query/query.ts'

/** A page that waits to be indexed. */
export interface PendingPage extends Omit<PageToIndex, 'fields'> {
  teamId: string
  /** Fields as packed JSON; empty if the page no longer exists. */
  fields: Uint8Array
}

/** Requests to the thread of the index, with their results. */
interface Exchanges {
  /** The result has the number of pages that could not be read. */
  index: [{ pages: PendingPage[] }, { unread: number }]
  search: [{ wanted: IndexSearch; now: number }, IndexResult]
  /** Positions of words of the query in each text. */
  mark: [{ query: Query; texts: string[] }, Passage['marks'][]]
  /** Removes expired documents. */
  sweep: [{ now: number }, true]
  /** Removes the documents of a team. */
  forget: [{ teamId: string }, true]
  /** Claims documents without vectors. The result has no index if there are none. */
  claimVectors: [VectorsWanted, { tasks: VectorTask[]; indexId: string | undefined }]
  saveVectors: [MadeVectors, true]
  /** Does one step of a rebuild. The result has the number of documents that cannot be found yet. */
  rebuild: [object, RebuildState]
}

export type SearchRequest = {
  [Kind in keyof Exchanges]: { kind: Kind } & Exchanges[Kind][0]
}[keyof Exchanges]
export type SearchResults = { [Kind in keyof Exchanges]: Exchanges[Kind][1] }

export interface RequestMessage {
  id: number
  request: SearchRequest
}

export type ResultMessage =
  | { id: number; result: SearchResults[SearchRequest['kind']] }
  | { id: number; error: unknown }
