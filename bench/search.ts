import { CannotMeasure, type Figure } from './figure.ts'
import { measureLoad } from './search/load.ts'
import { madePages } from './search/made-pages.ts'
import { readOptions, type SearchOptions } from './search/options.ts'
import { realPages } from './search/real-pages.ts'
import { type BenchStore, openPostgres, openSqlite } from './search/stores.ts'

/** How well and how fast the index of this machine finds pages. */
export async function measure(): Promise<Figure[]> {
  const options = readOptions()
  const real = options.pages ? await realPages(options.pages) : []
  return [...(await load(options, real))]
}

async function load({ load, parts }: SearchOptions, real: Awaited<ReturnType<typeof realPages>>): Promise<Figure[]> {
  if (!parts.has('load') || real.length === 0) return []
  const made = madePages(real)
  const sqlite = { count: load.sqlite, bounds: { p50: 50, p95: 200, cpu: 5 } }
  const postgres = { count: load.postgres, bounds: { p50: 100, p95: 400, cpu: 10 } }
  return [
    ...(await withStore(openSqlite, (store) => measureLoad(store, made, sqlite))),
    ...(await withStore(openPostgres, (store) => measureLoad(store, made, postgres))),
  ]
}

async function withStore<Result>(
  open: () => Promise<BenchStore>,
  work: (store: BenchStore) => Promise<Result>,
): Promise<Result> {
  const store = await open()
  try {
    return await work(store)
  } finally {
    await store.close()
  }
}
