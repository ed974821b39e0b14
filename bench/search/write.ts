import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { PageToIndex } from '../../src/search/index/page-documents.ts'
import { atMost, type Figure, plain } from '../figure.ts'
import { addPages } from './find-urls.ts'
import type { BenchStore } from './stores.ts'

const wordsPerPage = 480
/** As many as PostgreSQL collects in the pending list, before it writes their entries to the index together. */
const pages = 3000

/**
 * What it costs to index the first 480 words of a real page, without images and links: analysis, rows and full-text index. Pages
 * are repeated under other URLs, so that most words are in the index already, as in one that has grown for a while.
 */
export async function measureWrites(real: readonly PageToIndex[]): Promise<Figure[]> {
  const all = real.flatMap((page) => cut(page) ?? [])
  const figures: Figure[] = []
  // In a thread of its own, as in the service: collecting garbage among all the pages of this bench is not a cost of writing.
  for (const name of ['SQLite', 'PostgreSQL']) {
    const thread = new Worker(new URL('./write-thread.ts', import.meta.url), { workerData: { name, all } })
    const [measured]: Figure[][] = await once(thread, 'message')
    figures.push(...(measured ?? []))
    await once(thread, 'exit')
  }
  return figures
}

export async function measureStore(store: BenchStore, all: readonly PageToIndex[]): Promise<Figure[]> {
  await addPages(store, all)
  const server = await serverOf(store)
  await server?.prepare()
  const [own, before] = [process.cpuUsage(), await server?.state()]
  for (let round = 0, left = pages; left > 0; round += 1, left -= all.length)
    await addPages(
      store,
      all.slice(0, left).map((page) => ({ ...page, url: `${page.url}?round=${round}` })),
    )
  const between = await server?.state()
  // The server writes entries of the pending list into the index later, which belongs to the cost of these pages.
  await server?.flush()
  const after = await server?.state()
  const { user, system } = process.cpuUsage(own)
  const client = (user + system) / 1000 / pages
  const name = `${store.name}, page of ${wordsPerPage} words`
  if (!before || !between || !after) return [atMost(`${name}: CPU`, client, 0.8, 'ms')]
  const kilobytes = (bytes: number) => bytes / pages / 1024
  return [
    atMost(`${name}: CPU, server included`, client + (after.cpuMs - before.cpuMs) / pages, 1.8, 'ms'),
    atMost(`${name}: write-ahead log`, kilobytes(after.logBytes - before.logBytes), 14, 'KB'),
    plain(`${name}: of it by the pending list later`, kilobytes(after.logBytes - between.logBytes), 'KB'),
  ]
}

function cut({ fields, ...page }: PageToIndex): PageToIndex | undefined {
  const words = fields.text.split(/\s+/)
  if (words.length < wordsPerPage) return undefined
  const text = words.slice(0, wordsPerPage).join(' ')
  return { ...page, fields: { ...fields, text, pictures: [], links: [] } }
}

/** CPU time of all processes of the server, and the end of its write-ahead log; undefined for SQLite. */
async function serverOf({ store }: BenchStore) {
  if (store.dialect !== 'postgres') return undefined
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.query)
  const parent = statOf(rows[0]?.pid ?? 0)?.parent
  const flush = async () => {
    await sql`select gin_clean_pending_list('search_documents_terms')`.execute(store.query)
  }
  return {
    flush,
    async prepare() {
      // It would empty the pending list again and again, because these pages are many for so small a table.
      await sql`alter table search_documents set (autovacuum_enabled = off)`.execute(store.query)
      await flush()
    },
    async state() {
      const log = await sql<{ bytes: number }>`
        select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as bytes`.execute(store.query)
      const processes = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((name) => statOf(Number(name)) ?? [])
        .filter((one) => one.parent === parent)
      const cpuMs = processes.reduce((sum, one) => sum + one.cpuMs, 0)
      return { cpuMs, logBytes: Number(log.rows[0]?.bytes) }
    },
  }
}

/** Times of a process are counted in hundredths of a second. */
function statOf(pid: number): { parent: number; cpuMs: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), cpuMs: 10 * (Number(fields[11]) + Number(fields[12])) }
  } catch {
    return undefined
  }
}
