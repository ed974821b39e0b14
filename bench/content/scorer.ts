import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { MeasureError } from '../figure.ts'

/** Page of the benchmark with its expected content; each set describes that content in a different form. */
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

/** Row with the field names of the runner, whose `aggregate` and `timing` read it. */
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
  /** Each set has one of these three scores, from which `main` is computed. */
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

/**
 * Loads the scorer. Pages and scoring are not part of this repository, so that no change here can affect the scores.
 */
export async function loadScorer(folder: string): Promise<Scorer> {
  const runner = resolve(folder, 'run.mjs')
  if (!existsSync(runner)) {
    throw new MeasureError(
      `There are no benchmark pages at ${resolve(folder)}. Name their folder with --pages or BENCH_CONTENT.`,
    )
  }
  // The runner is plain JavaScript; the interface above declares the parts that are used here.
  return (await import(pathToFileURL(runner).href)) as Scorer
}

/**
 * Loads a set. Returns a function that selects a share of its pages by a hash of their ids, like `--sample`
 * of the runner: the same pages in every run.
 */
export function loadPages(
  scorer: Scorer,
  { folder, set, split }: Record<'folder' | 'set' | 'split', string>,
) {
  const setPages = scorer.loadSet(join(folder, 'data'), set, split)
  return (share: number) => setPages.filter(({ id }) => share >= 1 || hashFraction(`${set}:${id}`) < share)
}

function hashFraction(text: string): number {
  return Number.parseInt(createHash('sha256').update(text).digest('hex').slice(0, 8), 16) / 2 ** 32
}
