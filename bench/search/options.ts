import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasManuals } from './manuals.ts'

const beside = (name: string) => fileURLToPath(new URL(`../../../shared/${name}`, import.meta.url))

/** A folder with cranfield.docs.jsonl.gz and its queries and judgements. */
const collections = process.env.BENCH_SEARCH ?? beside('bench-search')
/** A folder with real pages, as the benchmark of content has it. */
const pages = process.env.BENCH_CONTENT ?? beside('bench-content')
/** Documentation of Debian packages. */
const manuals = process.env.BENCH_MANUALS ?? '/usr/share/doc'

export interface SearchOptions {
  /** Undefined where it is not on this machine. */
  collections: string | undefined
  pages: string | undefined
  /** Undefined unless the packages are installed: `apt-get install debian-handbook bibletime-data`. */
  manuals: string | undefined
  /** Made pages of the load test. */
  load: Record<'sqlite' | 'postgres', number>
  /** Which parts are measured. */
  parts: ReadonlySet<string>
  /** Prints the queries that missed their page. */
  showsMisses: boolean
}

export const allParts = ['cranfield', 'known-items', 'manuals', 'write', 'load'] as const

export function readOptions(): SearchOptions {
  const { BENCH_SEARCH_PAGES = '200000', BENCH_SEARCH_POSTGRES_PAGES = '200000' } = process.env
  return {
    collections: existsSync(join(collections, 'cranfield.docs.jsonl.gz')) ? collections : undefined,
    pages: existsSync(join(pages, 'run.mjs')) ? pages : undefined,
    manuals: hasManuals(manuals) ? manuals : undefined,
    load: { sqlite: Number(BENCH_SEARCH_PAGES), postgres: Number(BENCH_SEARCH_POSTGRES_PAGES) },
    parts: new Set(process.env.BENCH_SEARCH_PARTS?.split(',') ?? allParts),
    showsMisses: process.env.BENCH_SEARCH_MISSES !== undefined,
  }
}
