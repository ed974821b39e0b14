import { once } from 'node:events'
import { readdirSync, readFileSync } from 'node:fs'
import { Worker } from 'node:worker_threads'
import { sql } from 'kysely'
import type { PageToIndex } from '../../src/search/index/page-documents.ts'
import { atMost, type Figure, figure } from '../figure.ts'
import { addPages } from './find-urls.ts'
import type { BenchStore } from './stores.ts'

const wordsPerPage = 480
/** Number of pages that PostgreSQL collects in the pending list before it writes their entries to the index. */
const pages = 3000

/**
 * Measures the costs of indexing the first 480 words of a real page, without images and links: analysis, rows and
 * full-text index. Pages are repeated under other URLs, so that the index already contains most words, like an index in
 * use.
 */
export async function measureWrites(realPages: readonly PageToIndex[]): Promise<Figure[]> {
  const truncatedPages = realPages.flatMap((page) => truncate(page) ?? [])
  const figures: Figure[] = []
  // Runs in a separate thread, like in the service: garbage collection of the pages of this bench must not count.
  for (const name of ['SQLite', 'PostgreSQL']) {
    const thread = new Worker(new URL('./write-thread.ts', import.meta.url), {
      workerData: { name, all: truncatedPages },
    })
    const [measured]: Figure[][] = await once(thread, 'message')
    figures.push(...(measured ?? []))
    await once(thread, 'exit')
  }
  return figures
}

export async function measureStore(
  store: BenchStore,
  truncatedPages: readonly PageToIndex[],
): Promise<Figure[]> {
  await addPages(store, truncatedPages)
  const server = await getServer(store)
  await server?.prepare()
  const [cpuBefore, before] = [process.cpuUsage(), await server?.state()]
  for (let round = 0, remaining = pages; remaining > 0; round += 1, remaining -= truncatedPages.length)
    await addPages(
      store,
      truncatedPages.slice(0, remaining).map((page) => ({ ...page, url: `${page.url}?round=${round}` })),
    )
  const between = await server?.state()
  // The server writes entries of the pending list into the index later; this is part of the cost of these pages.
  await server?.flush()
  const after = await server?.state()
  const { user, system } = process.cpuUsage(cpuBefore)
  const client = (user + system) / 1000 / pages
  const name = `${store.name}, page of ${wordsPerPage} words`
  if (!before || !between || !after) return [atMost(`${name}: CPU`, client, 0.8, 'ms')]
  const kilobytes = (bytes: number) => bytes / pages / 1024
  return [
    atMost(`${name}: CPU, server included`, client + (after.cpuMs - before.cpuMs) / pages, 1.8, 'ms'),
    atMost(`${name}: write-ahead log`, kilobytes(after.logBytes - before.logBytes), 14, 'KB'),
    figure(`${name}: of it by the pending list later`, kilobytes(after.logBytes - between.logBytes), 'KB'),
  ]
}

function truncate({ fields, ...page }: PageToIndex): PageToIndex | undefined {
  const words = fields.text.split(/\s+/)
  if (words.length < wordsPerPage) return undefined
  const text = words.slice(0, wordsPerPage).join(' ')
  return { ...page, fields: { ...fields, text, pictures: [], links: [] } }
}

/** Returns access to CPU time and write-ahead log of the server; undefined for SQLite. */
async function getServer({ store }: BenchStore) {
  if (store.dialect !== 'postgres') return undefined
  const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(store.query)
  const parent = readStat(rows[0]?.pid ?? 0)?.parent
  const flush = async () => {
    await sql`select gin_clean_pending_list('search_documents_terms')`.execute(store.query)
  }
  return {
    flush,
    async prepare() {
      // Autovacuum would empty the pending list repeatedly, because the table is small for so many pages.
      await sql`alter table search_documents set (autovacuum_enabled = off)`.execute(store.query)
      await flush()
    },
    async state() {
      const log = await sql<{ bytes: number }>`
        select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::bigint as bytes`.execute(store.query)
      const processes = readdirSync('/proc')
        .filter((name) => /^\d+$/.test(name))
        .flatMap((name) => readStat(Number(name)) ?? [])
        .filter((candidate) => candidate.parent === parent)
      const cpuMs = processes.reduce((sum, candidate) => sum + candidate.cpuMs, 0)
      return { cpuMs, logBytes: Number(log.rows[0]?.bytes) }
    },
  }
}

/** Returns the parent and the CPU time of a process; times are in hundredths of a second. */
function readStat(pid: number): { parent: number; cpuMs: number } | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    return { parent: Number(fields[1]), cpuMs: 10 * (Number(fields[11]) + Number(fields[12])) }
  } catch {
    return undefined
  }
}
