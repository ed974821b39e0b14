import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { hasManuals } from './manuals.ts'

const sharedFolder = (name: string) => fileURLToPath(new URL(`../../../shared/${name}`, import.meta.url))

/** Folder with cranfield.docs.jsonl.gz, and its queries and judgements. */
const collections = process.env.BENCH_SEARCH ?? sharedFolder('bench-search')
/** Folder with real pages, as in the content benchmark. */
const pages = process.env.BENCH_CONTENT ?? sharedFolder('bench-content')
/** Documentation of Debian packages. */
const manuals = process.env.BENCH_MANUALS ?? '/usr/share/doc'

export interface SearchOptions {
  /** Undefined if the folder does not exist. */
  collections: string | undefined
  pages: string | undefined
  /** Undefined unless the packages are installed: `apt-get install debian-handbook bibletime-data`. */
  manuals: string | undefined
  /** Number of generated pages of the load test. */
  load: Record<'sqlite' | 'postgres', number>
  /** Names of the measured parts. */
  parts: ReadonlySet<string>
  /** True to print the queries that do not find their page. */
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
