import type { Expression, SqlBool } from 'kysely'
import type { SearchQueryable } from './tables.ts'

/** The terms of each part of a page, in text order, as the analyser returns them. */
export interface DocumentTerms {
  title: string[]
  headings: string[]
  address: string[]
  body: string[]
}

export interface WordSearch {
  indexId: string
  /** Each word has all forms that documents may contain. */
  words: readonly (readonly string[])[]
  /** A document must contain each phrase in one of its forms, which are lists of adjacent terms. */
  phrases: readonly (readonly (readonly string[])[])[]
  filter: Expression<SqlBool> | undefined
  totals: { documents: number; words: number; next_number: number }
  limit: number
}

export interface Ranked {
  number: number
  /** Comparable only within one search. */
  score: number
  hasAll: boolean
}

/** Full-text index of a database, beside the document rows. All methods run in the caller's transaction. */
export interface PageIndex {
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
