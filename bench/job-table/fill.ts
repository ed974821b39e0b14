import { Client } from 'pg'

export interface FillOptions {
  teamId: string
  /** Number of ended pages; each crawl has 1,000 of them. */
  rows: number
  /** Size of the result of each page. The text does not compress well. */
  resultBytes: number
  /** End time of the last page; all end times are spread over `overMs` before it. */
  until: number
  overMs: number
  /** Part of each id, which distinguishes the rows from those of an earlier fill. */
  idPart: string
}

const rowsPerStatement = 100_000
export const childrenPerCrawl = 1000

/**
 * Writes ended jobs like those of the service, many with one statement: crawls of 1,000 pages, each page with its
 * result and its row in the ledger.
 */
export async function fill(databaseUrl: string, options: FillOptions): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (let start = 0; start < options.rows; start += rowsPerStatement) {
      const end = Math.min(start + rowsPerStatement, options.rows)
      await client.query(parents, [
        ...values(options),
        Math.floor(start / childrenPerCrawl),
        Math.floor((end - 1) / childrenPerCrawl),
      ])
      await client.query(children, [...values(options), start, end - 1, options.resultBytes])
      await client.query(charges, [...values(options), start, end - 1])
    }
  } finally {
    await client.end()
  }
}

const values = ({ idPart, teamId, until, overMs, rows }: FillOptions) => [idPart, teamId, until, overMs, rows]

/** Returns SQL for an id in the format of the service. Ids of child jobs increase with time. */
const idSql = (kind: string, number: string) =>
  `'019'||$1::text||'-${kind}-7000-8000-'||lpad(to_hex(${number}::bigint), 12, '0')`

const columns = `id, team_id, parent_id, kind, state, foreground, takes_slot, input, target, retain, attempts,
  deadline_at, created_at, queued_at, started_at, finished_at, ended_number, children_ended, credits, result, trace`

const parents = `insert into jobs (${columns})
  select ${idSql('aaaa', 'n')}, $2::text, null, 'crawl', 'completed', 0, 0, '{"url":"https://site.example/"}',
    'https://site.example/', 1, 0, at, at, at, at, at, null, ${childrenPerCrawl}, 0, null, null
  from (select n, $3::bigint - $4::bigint + n * ${childrenPerCrawl} * $4::bigint / $5::bigint as at
    from generate_series($6::bigint, $7::bigint) n) spread
  on conflict do nothing`

const children = `insert into jobs (${columns})
  select ${idSql('bbbb', 'n')}, $2::text, ${idSql('aaaa', `(n / ${childrenPerCrawl})`)}, 'crawl.page', 'completed', 0, 1,
    '{"url":"https://site.example/shop/page-'||n||'"}', 'https://site.example/shop/page-'||n, 1, 1,
    at + 60000, at - 9000, at - 9000, at - 1000, at, n % ${childrenPerCrawl} + 1, 0, 1,
    (select string_agg(md5((n * 1000 + part)::text), '') from generate_series(1, $8::bigint / 32) part), null
  from (select n, $3::bigint - $4::bigint + n * $4::bigint / $5::bigint as at
    from generate_series($6::bigint, $7::bigint) n) spread`

const charges = `insert into ledger (id, team_id, key_id, job_id, credits, reason, created_at)
  select ${idSql('cccc', 'n')}, $2::text, null, ${idSql('bbbb', 'n')}, -1, 'crawl.page',
    $3::bigint - $4::bigint + n * $4::bigint / $5::bigint
  from generate_series($6::bigint, $7::bigint) n`
