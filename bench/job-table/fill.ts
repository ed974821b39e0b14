import { Client } from 'pg'

export interface Filling {
  teamId: string
  /** Ended pages; every thousand of them belong to a crawl. */
  rows: number
  /** Of the result of each page, as text that does not compress well. */
  resultBytes: number
  /** When the last of them ended, and over how long they were spread before. */
  until: number
  overMs: number
  /** Told apart from what an earlier filling wrote. */
  mark: string
}

const rowsAtOnce = 100_000
export const childrenOfOne = 1000

/**
 * Writes jobs as the service leaves them behind, by one statement for many: crawls of a thousand pages, each page with
 * its result, its trace and its row in the ledger.
 */
export async function fill(databaseUrl: string, filling: Filling): Promise<void> {
  const client = new Client({ connectionString: databaseUrl })
  await client.connect()
  try {
    for (let from = 0; from < filling.rows; from += rowsAtOnce) {
      const upTo = Math.min(from + rowsAtOnce, filling.rows)
      await client.query(parents, [
        ...values(filling),
        Math.floor(from / childrenOfOne),
        Math.floor((upTo - 1) / childrenOfOne),
      ])
      await client.query(children, [...values(filling), from, upTo - 1, filling.resultBytes])
      await client.query(charges, [...values(filling), from, upTo - 1])
    }
  } finally {
    await client.end()
  }
}

const values = ({ mark, teamId, until, overMs, rows }: Filling) => [mark, teamId, until, overMs, rows]

/** Ids have the shape of ours, and those of children grow with their time. */
const idOf = (kind: string, number: string) =>
  `'019'||$1::text||'-${kind}-7000-8000-'||lpad(to_hex(${number}::bigint), 12, '0')`

const columns = `id, team_id, parent_id, kind, state, foreground, takes_slot, input, target, retain, attempts,
  deadline_at, created_at, queued_at, started_at, finished_at, ended_number, children_ended, credits, result, trace`

const parents = `insert into jobs (${columns})
  select ${idOf('aaaa', 'n')}, $2::text, null, 'crawl', 'completed', 0, 0, '{"url":"https://site.example/"}',
    'https://site.example/', 1, 0, at, at, at, at, at, null, ${childrenOfOne}, 0, null, null
  from (select n, $3::bigint - $4::bigint + n * ${childrenOfOne} * $4::bigint / $5::bigint as at
    from generate_series($6::bigint, $7::bigint) n) spread
  on conflict do nothing`

const children = `insert into jobs (${columns})
  select ${idOf('bbbb', 'n')}, $2::text, ${idOf('aaaa', `(n / ${childrenOfOne})`)}, 'crawl.page', 'completed', 0, 1,
    '{"url":"https://site.example/shop/page-'||n||'"}', 'https://site.example/shop/page-'||n, 1, 1,
    at + 60000, at - 9000, at - 9000, at - 1000, at, n % ${childrenOfOne} + 1, 0, 1,
    (select string_agg(md5((n * 1000 + part)::text), '') from generate_series(1, $8::bigint / 32) part), null
  from (select n, $3::bigint - $4::bigint + n * $4::bigint / $5::bigint as at
    from generate_series($6::bigint, $7::bigint) n) spread`

const charges = `insert into ledger (id, team_id, key_id, job_id, credits, reason, created_at)
  select ${idOf('cccc', 'n')}, $2::text, null, ${idOf('bbbb', 'n')}, -1, 'crawl.page',
    $3::bigint - $4::bigint + n * $4::bigint / $5::bigint
  from generate_series($6::bigint, $7::bigint) n`
