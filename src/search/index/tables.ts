import type { Kysely } from 'kysely'
import type { Database } from '../../platform/ports/database.ts'

/** A team has one index for its pages and one for the images on them. */
export type IndexKind = 'page' | 'image'

/** Tables of the search index. On one machine they are in a separate file, so that writes to them delay no job. */
export interface SearchTables {
  search_indexes: IndexTable
  search_documents: DocumentTable
  /** Number of pages of the index that link to a URL, which may be indexed or not. */
  search_inbound: { index_id: string; page_key: string; inbound: number }
}

export type SearchStore = Database<SearchTables>
export type SearchQueryable = Kysely<SearchTables>

export interface IndexTable {
  id: string
  team_id: string
  kind: IndexKind
  next_number: number
  documents: number
  words: number
  /** Languages that documents are or were written in, as JSON. */
  languages: string
  /** Time of the last search, accurate to an hour; 0 if there was none. */
  searched_at: number
  /** Columns of the index before full-text search, which the next version removes. */
  title_words: number
  headings_words: number
  body_words: number
}

export interface DocumentTable {
  index_id: string
  number: number
  /** URL without the parts that do not change the page. For images, a space and a suffix follow. */
  document_key: string
  page_key: string
  url: string
  /** Host with its labels reversed, so that a site and its subdomains are one range: `com.example.docs`. */
  site: string
  /** Extension of the path or type of the file: `html`, `pdf`. */
  type: string
  title: string
  language: string | null
  published_at: number | null
  fetched_at: number
  expires_at: number
  news: number
  /** SHA-256 of the indexed fields. An unchanged page is not indexed again. */
  hash: string
  /** Simhash of the text, which differs in few bits for near-duplicates. */
  fingerprint: string
  image_url: string | null
  image_width: number | null
  image_height: number | null
  body: Uint8Array
  length: number
  /** Empty if the engine stores the terms elsewhere. Null: the document must be indexed again. */
  terms: string | null
  /** 384 signed bytes of the sentence model. */
  vector: Uint8Array | null
  /** Earliest time of the next attempt; negative: before others. Null if the vector exists or will never exist. */
  vector_due: number | null
}
