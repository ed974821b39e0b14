import type { Expression, SqlBool } from 'kysely'
import type { SearchQueryable } from './tables.ts'

/** Terms of a document by field, in the order of its words, as the analyser returns them. */
export interface DocumentTerms {
  title: string[]
  headings: string[]
  address: string[]
  body: string[]
}

export interface WordSearch {
  indexId: string
  /** All forms of each query word that documents may contain. */
  words: readonly (readonly string[])[]
  /** Phrases that a document must contain. Each has several forms, and a form is a list of adjacent terms. */
  phrases: readonly (readonly (readonly string[])[])[]
  filter: Expression<SqlBool> | undefined
  /** Number of documents of the index, number of words in all of them, and number of the next document. */
  totals: { documents: number; words: number; next_number: number }
  limit: number
}

export interface Ranked {
  number: number
  /** Comparable only within one search. */
  score: number
  /** True if the document contains every word of a query with several words. */
  hasAll: boolean
}

/** Full-text index of an engine, beside the rows of documents. Every method runs in the transaction of the caller. */
export interface PageIndex {
  /** Returns the value of the column `terms`. */
  toColumn(indexId: string, terms: DocumentTerms): string
  add(
    query: SearchQueryable,
    indexId: string,
    documents: readonly { number: number; terms: DocumentTerms }[],
  ): Promise<void>
  remove(query: SearchQueryable, indexId: string, numbers: readonly number[]): Promise<void>
  search(query: SearchQueryable, search: WordSearch): Promise<Ranked[]>
  removeIndex(query: SearchQueryable, indexId: string): Promise<void>
}
