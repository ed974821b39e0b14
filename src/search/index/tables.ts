import type { Kysely } from 'kysely'
import type { Database } from '../../ports/database.ts'

/** Of a team, one index for its pages and one for the images on them. */
export type IndexKind = 'page' | 'image'

/** The tables of the search index. On one machine they are a file of their own, so that writing them holds up no job. */
export interface SearchTables {
  search_indexes: IndexTable
  search_postings: PostingTable
  search_blocks: BlockTable
  search_documents: DocumentTable
  search_inbound: InboundTable
}

export type SearchStore = Database<SearchTables>
export type SearchQueryable = Kysely<SearchTables>

export interface IndexTable {
  id: string
  team_id: string
  kind: IndexKind
  /** The number that the next document gets. */
  next_number: number
  documents: number
  title_words: number
  headings_words: number
  body_words: number
  /** The languages that documents are or were written in, as JSON. */
  languages: string
}

export interface PostingTable {
  index_id: string
  block: number
  term: string
  /** 32-bit numbers, little-endian; new ones are appended. */
  postings: Uint8Array
}

export interface BlockTable {
  index_id: string
  block: number
  /** Of each document of the block, 32 bits; less than 2^31 where it is gone. */
  lengths: Uint8Array
}

export interface DocumentTable {
  index_id: string
  number: number
  /** The address without what does not change the page, and of an image its place on the page. */
  document_key: string
  /** The page that it belongs to. */
  page_key: string
  url: string
  /** The host with its labels turned round, so that a site and all below it are one range: `com.example.docs`. */
  site: string
  /** The ending of the path or the type of the file: `html`, `pdf`. */
  type: string
  title: string
  language: string | null
  published_at: number | null
  fetched_at: number
  expires_at: number
  news: number
  /** SHA-256 of what was indexed: the same page again changes nothing. */
  hash: string
  /** The first bits of a hash that near-duplicates share. */
  fingerprint: string
  image_url: string | null
  image_width: number | null
  image_height: number | null
  /** The text of the page, packed. */
  body: Uint8Array
  /** Of the sentence model, 384 signed bytes; null until it was made. */
  vector: Uint8Array | null
  /** From when on it may be made; null where it was, or where the model does not know the language. */
  vector_due: number | null
}

/** How many pages of the index link to an address, whether or not it is indexed. */
export interface InboundTable {
  index_id: string
  page_key: string
  inbound: number
}
