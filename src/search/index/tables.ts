import type { Kysely } from 'kysely'
import type { Database } from '../../platform/ports/database.ts'

/** A team has one index for its pages and one for the images on them. */
export type IndexKind = 'page' | 'image'

/** Tables of the search index. On one machine they are a file of their own, so that writing them delays no job. */
export interface SearchTables {
  search_indexes: IndexTable
  search_documents: DocumentTable
  search_inbound: InboundTable
}

export type SearchStore = Database<SearchTables>
export type SearchQueryable = Kysely<SearchTables>

export interface IndexTable {
  id: string
  team_id: string
  kind: IndexKind
  /** Number of the next document. */
  next_number: number
  documents: number
  /** Words in all documents. */
  words: number
  /** Languages that documents are or were written in, as JSON. */
  languages: string
  /** Time of the last search, to the hour; 0 if there was none. */
  searched_at: number
  /** Columns of the index before full-text search. They are removed with the next version. */
  title_words: number
  headings_words: number
  body_words: number
}

export interface DocumentTable {
  index_id: string
  number: number
  /** URL without the parts that do not change the page. For an image, its hash follows. */
  document_key: string
  /** Key of the page that it belongs to. */
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
  /** SHA-256 of what was indexed. The same page again changes nothing. */
  hash: string
  /** First bits of a hash that near-duplicates share. */
  fingerprint: string
  image_url: string | null
  image_width: number | null
  image_height: number | null
  /** Packed text of the page. */
  body: Uint8Array
  /** Words in the document. */
  length: number
  /** Terms as the engine stores them in the row, or empty. Null: the document has to be indexed again. */
  terms: string | null
  /** 384 signed bytes of the sentence model; null until they are made. */
  vector: Uint8Array | null
  /** Earliest time at which the vector may be made; negative: before others. Null if it exists or the model does not know the language. */
  vector_due: number | null
}

/** How many pages of the index link to a URL, which may be indexed or not. */
export interface InboundTable {
  index_id: string
  page_key: string
  inbound: number
}
