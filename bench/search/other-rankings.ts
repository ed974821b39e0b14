import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import { startPostgres } from '../../test/servers/postgres.ts'
import type { CollectionDocument } from './collection.ts'

export interface OtherRanking {
  name: string
  find(text: string, most: number): Promise<string[]>
  close(): Promise<void>
}

/** Any of the words of a query, as each of the two writes it. */
const words = (text: string) => [...new Set(text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [])]

/** Full-text search as it is built into SQLite: stems of English, its own BM25. */
export function fts5(documents: readonly CollectionDocument[]): OtherRanking {
  const database = new DatabaseSync(':memory:')
  database.exec(
    `create virtual table documents using fts5(id unindexed, title, text, tokenize = 'porter unicode61')`,
  )
  const insert = database.prepare('insert into documents values (?, ?, ?)')
  for (const { id, title, text } of documents) insert.run(id, title, text)
  const select = database.prepare(
    'select id from documents where documents match ? order by bm25(documents) limit ?',
  )
  return {
    name: 'SQLite FTS5, bm25()',
    async find(text, most) {
      const query = words(text).map((word) => `"${word}"`)
      return select.all(query.join(' OR '), most).map(({ id }) => String(id))
    },
    close: async () => database.close(),
  }
}

/** Full-text search as it is built into PostgreSQL, with titles above the text. */
export async function postgresFullText(documents: readonly CollectionDocument[]): Promise<OtherRanking> {
  const server = await startPostgres()
  const client = new pg.Client({ connectionString: await server.createDatabase() })
  await client.connect()
  await client.query('create table documents (id text, words tsvector)')
  for (const { id, title, text } of documents)
    await client.query(
      `insert into documents values ($1, setweight(to_tsvector('english', $2), 'A') || to_tsvector('english', $3))`,
      [id, title, text],
    )
  return {
    name: 'PostgreSQL ts_rank_cd',
    async find(text, most) {
      const { rows } = await client.query<{ id: string }>(
        `select id from documents, to_tsquery('english', $1) as query where words @@ query
         order by ts_rank_cd(words, query) desc, id limit $2`,
        [words(text).join(' | '), most],
      )
      return rows.map(({ id }) => id)
    },
    async close() {
      await client.end()
      await server.stop()
    },
  }
}
