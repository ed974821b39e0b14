import type { PageRow, SetScore } from './scorer.ts'

/** Result of one system in one run, as stored in the file of `--out`. */
export interface SystemResult {
  name: string
  title: string
  versions: Record<string, string>
  clock: 'cpu' | 'wall'
  /** Number of pages of the sets with main content, without h2m. */
  pages: number
  sets: Record<string, SetScore>
  /**
   * Score of the golden set for main content, as requested by the runner; `sets.h2m` is the score of the conversion.
   */
  h2mMainContent?: SetScore
  empty: number
  /** Empty pages whose HTML contains most words of the truth. */
  emptyDespiteText: string[]
  errors: number
  times?: Times
}

export interface Times {
  median: number
  /** Median of the pages of 50 to 200 KB. */
  mediumPagesMedian?: number
  p95: number
  worst: { ms: number; page: string }
}

export interface RunResult {
  split: string
  node: string
  systems: SystemResult[]
  /** Rows by system, each with its set. */
  rows: Record<string, (PageRow & { set: string })[]>
}
