import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { CannotMeasure } from '../figure.ts'

/** A page of the benchmark with its truth, of which each set has its own kind. */
export interface BenchPage {
  id: string
  url: string
  html: string
  type?: string
  text?: string
  md?: string
  with?: string[]
}

export interface WordScore {
  f1: number
  p: number
  r: number
}

export interface PageScore {
  sh?: [number, number, number]
  tok?: WordScore
  tp?: number
  fp?: number
  fn?: number
  tn?: number
  struct?: Record<string, number>
}

/** The names are those of the runner, whose `aggregate` and `timing` read these rows. */
export interface PageRow {
  id: string
  url: string
  type?: string
  size: number
  ms: number
  len: number
  err?: string
  s: PageScore
}

export interface SetScore {
  pages: number
  empty: number
  errors: number
  main: number
  /** Of each set the one that `main` is made of. */
  shingle?: WordScore
  snippets?: WordScore
  token?: WordScore
  structure?: { score: number } & Record<string, number>
  types?: Record<string, WordScore & { pages: number }>
  macroType?: number
}

export interface Timing {
  median: number
  p95: number
  buckets: Record<string, { pages: number; median: number; p95: number }>
}

export interface Scorer {
  SETS: string[]
  loadSet(folder: string, set: string, split: string): BenchPage[]
  scorePage(set: string, page: BenchPage, markdown: string): PageScore
  aggregate(set: string, rows: PageRow[]): SetScore
  timing(rows: PageRow[]): Timing
  toks(text: string): string[]
}

/** The pages and their scoring are no part of this repository, so that no change here can move the measure. */
export async function loadScorer(folder: string): Promise<Scorer> {
  const runner = resolve(folder, 'run.mjs')
  if (!existsSync(runner)) {
    throw new CannotMeasure(
      `There are no benchmark pages at ${resolve(folder)}. Name their folder with --pages or BENCH_CONTENT.`,
    )
  }
  // The runner is plain JavaScript; the interface above says what of it is used here.
  return (await import(pathToFileURL(runner).href)) as Scorer
}

/** A part of a set is chosen by hash, as the runner's own `--sample` does: the same pages for everyone. */
export function loadPages(
  scorer: Scorer,
  { folder, set, split }: Record<'folder' | 'set' | 'split', string>,
) {
  const all = scorer.loadSet(join(folder, 'data'), set, split)
  return (share: number) => all.filter(({ id }) => share >= 1 || fraction(`${set}:${id}`) < share)
}

function fraction(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16) / 2 ** 32
}
