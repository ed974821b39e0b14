import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

/** A page of the benchmark, with what people said is its content: a whole text, or snippets of both sides. */
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
  /** Where the content of a page of documentation is, as selectors. */
  container?: Container
}

export interface Container {
  main: string
  /** Inside it, but not content. */
  drop?: string[]
  /** Tables of contents and the like: neither wanted nor not. */
  optional?: string[]
}

export type SetName = 'aeb' | 'traf' | 'wcxb' | 'docs'
export type Split = 'train' | 'dev'

/** What the runner of the benchmark is asked for. */
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

/** One page came without its address; the runner serves it from this one too. */
const unknownAddress = 'http://x/'

/** The sets that the runner scores. */
export type ScoredSet = Exclude<SetName, 'docs'>

export type ScoredSample = Sample & { set: ScoredSet }

export interface Benchmark {
  runner: Runner
  samples: ScoredSample[]
}

export async function loadBenchmark(): Promise<Benchmark> {
  const beside = fileURLToPath(new URL('../../../shared/bench-content', import.meta.url))
  const folder = resolve(process.env.BENCH_CONTENT ?? beside)
  const path = join(folder, 'run.mjs')
  if (!existsSync(path))
    throw new Error(`No benchmark in ${folder}; BENCH_CONTENT names the folder of run.mjs.`)
  // The runner is plain JavaScript; these are the functions it documents.
  const runner = (await import(pathToFileURL(path).href)) as Runner
  const samples = parts.flatMap(([set, split]) =>
    runner
      .loadSet(join(folder, 'data'), set, split)
      .map((sample) => ({ ...sample, set, split, url: sample.url ?? unknownAddress })),
  )
  if (samples.length === 0) throw new Error(`No pages of wcxb, traf or aeb in ${folder}.`)
  return { runner, samples }
}

export const foldCount = 5

export const keyOf = ({ set, split, id }: Sample) => `${set}.${split}/${id}`

/** Pages of one site are made from one template, so they must not stand on both sides of a validation. */
export function foldOf(sample: Pick<Sample, 'url'>): number {
  const digest = createHash('sha256').update(siteOf(sample)).digest()
  return digest.readUInt32BE(0) % foldCount
}

/** The last two labels: a blog host is one site with all its blogs, and that co.uk is one too does no harm. */
function siteOf(sample: Pick<Sample, 'url'>): string {
  const host = URL.parse(sample.url)?.hostname ?? ''
  return host.split('.').slice(-2).join('.') || sample.url
}
