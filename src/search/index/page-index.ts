import type { Expression, SqlBool } from 'kysely'
import type { SearchQueryable } from './tables.ts'

/** The terms of a document by field, in the order of its words, as the analyser wrote them. */
export interface DocumentTerms {
  title: string[]
  headings: string[]
  address: string[]
  body: string[]
}

/** A word of a query in all the forms that documents may contain. */
export type WordForms = readonly string[]

export interface WordSearch {
  indexId: string
  words: readonly WordForms[]
  /** Phrases that a document must contain. Each has several forms, and a form is a list of neighbouring terms. */
  phrases: readonly (readonly (readonly string[])[])[]
  /** Condition on `search_documents`; undefined if every document may be found. */
  filter: Expression<SqlBool> | undefined
  /** Number of documents of the index, of the words in all of them, and of the next document. */
  totals: { documents: number; words: number; next_number: number }
  limit: number
}

export interface Ranked {
  number: number
  /** Larger is better. Scores of different searches cannot be compared. */
  score: number
  /** It contains every word of a query of several words. */
  hasAll: boolean
}

/**
 * Full-text index of documents. Rows of documents are in `search_documents`; an adapter adds what its engine needs to find
 * them by words. Every method runs in the transaction of the caller.
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
  /** Removes everything that the engine has of an index. Rows of documents are deleted by the caller. */
  removeIndex(query: SearchQueryable, indexId: string): Promise<void>
}
