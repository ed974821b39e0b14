import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/**
 * Page of the benchmark with its content as labelled by people: a complete text, or snippets of content and
 * non-content.
 */
export interface Sample {
  set: SetName
  split: Split
  id: string
  url: string
  html: string
  type?: string
  text?: string
  with?: string[]
  without?: string[]
  /** Selectors of the content of a documentation page. */
  container?: Container
}

export interface Container {
  main: string
  /** Selectors of elements in `main` that are not content. */
  drop?: string[]
  /** Selectors of elements that may be kept or not, such as tables of contents. */
  optional?: string[]
}

export type SetName = 'aeb' | 'traf' | 'wcxb' | 'docs'
export type Split = 'train' | 'dev'

/** Functions of the benchmark runner that are used here. */
export interface Runner {
  loadSet(
    folder: string,
    set: ScoredSet,
    split: Split,
  ): (Omit<Sample, 'set' | 'split' | 'url'> & { url?: string })[]
  scorePage(set: ScoredSet, sample: Sample, markdown: string): unknown
  aggregate(set: ScoredSet, rows: ScoredPage[]): Aggregate
}

export interface ScoredPage {
  type?: string | undefined
  len: number
  s: unknown
}

export interface Aggregate {
  pages: number
  empty: number
  main: number
  macroType?: number
  structure?: { score: number }
}

const parts: readonly [ScoredSet, Split][] = [
  ['wcxb', 'train'],
  ['traf', 'train'],
  ['wcxb', 'dev'],
  ['traf', 'dev'],
  ['aeb', 'dev'],
]

/** Placeholder URL of pages without a URL; the runner also serves such a page under this URL. */
const unknownUrl = 'http://x/'

/** Sets that the runner scores. */
export type ScoredSet = Exclude<SetName, 'docs'>

export type ScoredSample = Sample & { set: ScoredSet }

export interface Benchmark {
  runner: Runner
  samples: ScoredSample[]
}

export async function loadBenchmark(): Promise<Benchmark> {
  const defaultFolder = fileURLToPath(new URL('../../../shared/bench-content', import.meta.url))
  const folder = resolve(process.env.BENCH_CONTENT ?? defaultFolder)
  const path = join(folder, 'run.mjs')
  if (!existsSync(path))
    throw new Error(`No benchmark in ${folder}; BENCH_CONTENT names the folder of run.mjs.`)
  // The runner is plain JavaScript; the interface declares the functions that it documents.
  const runner = (await import(pathToFileURL(path).href)) as Runner
  const samples = parts.flatMap(([set, split]) =>
    runner
      .loadSet(join(folder, 'data'), set, split)
      .map((sample) => ({ ...sample, set, split, url: sample.url ?? unknownUrl })),
  )
  if (samples.length === 0) throw new Error(`No pages of wcxb, traf or aeb in ${folder}.`)
  return { runner, samples }
}

export const foldCount = 5

export const keyOf = ({ set, split, id }: Sample) => `${set}.${split}/${id}`

/** Returns the fold of a page. Pages of one site share a template, so they must be in the same fold. */
export function foldOf(sample: Pick<Sample, 'url'>): number {
  const digest = createHash('sha256').update(getSite(sample)).digest()
  return digest.readUInt32BE(0) % foldCount
}

/**
 * Returns the last two host labels. All blogs of a host count as one site, and so do all hosts under co.uk, which is
 * harmless.
 */
function getSite(sample: Pick<Sample, 'url'>): string {
  const host = URL.parse(sample.url)?.hostname ?? ''
  return host.split('.').slice(-2).join('.') || sample.url
}
