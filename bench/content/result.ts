import type { PageRow, SetScore } from './scorer.ts'

/** What one system did in one run, as it is kept in the file of `--out`. */
export interface SystemResult {
  name: string
  title: string
  versions: Record<string, string>
  clock: 'cpu' | 'wall'
  /** Of the sets with main content, without h2m. */
  pages: number
  sets: Record<string, SetScore>
  /** The golden set asked for its main content, as the runner asks; `sets.h2m` is the conversion alone. */
  goldenAsMain?: SetScore
  empty: number
  /** Of these, the pages whose HTML holds most words of the truth. */
  emptyInVain: string[]
  errors: number
  times?: Times
}

export interface Times {
  median: number
  /** The median of the pages of 50 to 200 KB. */
  middle?: number
  p95: number
  worst: { ms: number; page: string }
}

export interface RunResult {
  split: string
  node: string
  systems: SystemResult[]
  /** Per system, each row with its set. */
  rows: Record<string, (PageRow & { set: string })[]>
}
