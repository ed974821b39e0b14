import type { Expression, SqlBool } from 'kysely'
import type { SearchQueryable } from './tables.ts'

/** Terms of a document by field, in the order of its words, as the analyser returns them. */
export interface DocumentTerms {
  title: string[]
  headings: string[]
  address: string[]
  body: string[]
}

/** All forms of a query word that documents may contain. */
export type WordForms = readonly string[]

export interface WordSearch {
  indexId: string
  words: readonly WordForms[]
  /** Phrases that a document must contain. Each has several forms, and a form is a list of adjacent terms. */
  phrases: readonly (readonly (readonly string[])[])[]
  /** Condition on `search_documents`; undefined if every document matches. */
  filter: Expression<SqlBool> | undefined
  /** Number of documents of the index, number of words in all of them, and number of the next document. */
  totals: { documents: number; words: number; next_number: number }
  limit: number
}

export interface Ranked {
  number: number
  /** Relevance; larger is better. Scores of different searches are not comparable. */
  score: number
  /** True if the document contains every word of a query with several words. */
  hasAll: boolean
}

/**
 * Full-text index of documents. Rows of documents are in `search_documents`; an adapter adds the data that its engine
 * needs to find them by words. Every method runs in the transaction of the caller.
 */
export interface PageIndex {
  /** Returns the value of the column `terms`. */
  toColumn(indexId: string, terms: DocumentTerms): string
  /** Adds documents whose rows have been inserted or updated. */
  add(
    query: SearchQueryable,
    indexId: string,
    documents: readonly { number: number; terms: DocumentTerms }[],
  ): Promise<void>
  /** Removes documents whose rows are about to be deleted. */
  remove(query: SearchQueryable, indexId: string, numbers: readonly number[]): Promise<void>
  /** Returns the documents that contain at least one of the words, best first. */
  search(query: SearchQueryable, search: WordSearch): Promise<Ranked[]>
  /** Removes all data that the engine stores for an index. The caller deletes the rows of documents. */
  removeIndex(query: SearchQueryable, indexId: string): Promise<void>
}
