import type { PageToIndex } from '../src/search/index/page-documents.ts'
import { type Figure, MeasureError } from './figure.ts'
import { measureCranfield } from './search/cranfield.ts'
import { measureKnownItems } from './search/known-items.ts'
import { measureLoad } from './search/load.ts'
import { generatePages } from './search/made-pages.ts'
import { measureManuals } from './search/manuals.ts'
import { readOptions, type SearchOptions } from './search/options.ts'
import { realPages } from './search/real-pages.ts'
import { type BenchStore, openPostgres, openSqlite } from './search/stores.ts'
import { measureWrites } from './search/write.ts'

/** Measures the quality and the speed of the local index. */
export async function measure(): Promise<Figure[]> {
  const options = readOptions()
  const { collections, pages, manuals, parts } = options
  if (!collections) console.error('search: no collections to search. Name their folder with BENCH_SEARCH.')
  if (!pages) console.error('search: no real pages. Name their folder with BENCH_CONTENT.')
  if (!manuals) console.error('search: no manuals. Install debian-handbook and bibletime-data.')
  if (!collections && !pages && !manuals) throw new MeasureError('there is nothing to measure.')
  const real =
    pages && ['known-items', 'write', 'load'].some((part) => parts.has(part))
      ? await realPages(pages)
      : undefined
  return [
    ...(collections && parts.has('cranfield') ? await measureCranfield(collections) : []),
    ...(real && parts.has('known-items')
      ? await withStore(openSqlite, (store) => measureKnownItems(store, real, options))
      : []),
    ...(manuals && parts.has('manuals')
      ? [
          ...(await withStore(openSqlite, (store) => measureManuals(store, manuals))),
          ...(await withStore(openPostgres, (store) => measureManuals(store, manuals))),
        ]
      : []),
    ...(real && parts.has('write') ? await measureWrites(real) : []),
    ...(real && parts.has('load') ? await measureLoads(options, real) : []),
  ]
}

/**
 * Measures the index under load. The bound of PostgreSQL is higher, because it is a separate process behind a socket.
 */
async function measureLoads({ load }: SearchOptions, real: PageToIndex[]): Promise<Figure[]> {
  const generatedPages = generatePages(real)
  const sqlite = { count: load.sqlite, maxMs: 250 }
  const postgres = { count: load.postgres, maxMs: 400 }
  const figures: Figure[] = []
  if (sqlite.count > 0)
    figures.push(...(await withStore(openSqlite, (store) => measureLoad(store, generatedPages, sqlite))))
  if (postgres.count > 0)
    figures.push(...(await withStore(openPostgres, (store) => measureLoad(store, generatedPages, postgres))))
  return figures
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
