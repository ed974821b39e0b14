import { CannotMeasure } from '../figure.ts'
import type { Half } from './sites/template.ts'

export interface ReadingOptions {
  parts: readonly string[]
  /** Rules are written for `development`. */
  halves: readonly Half[]
  /** A folder with recipes.dev.jsonl.gz and squad.dev.json.gz; the pages are not ours to ship. */
  folder: string | undefined
  /** Only templates whose `vertical/name` has this in it. */
  only: string
  /** Prints every field that was missed, wrong or invented; never of what is kept back. */
  showsMisses: boolean
}

export function readOptions(known: readonly string[]): ReadingOptions {
  const { BENCH_READING_PARTS, BENCH_READING_HALF = 'development', BENCH_READING_ONLY = '' } = process.env
  const parts = BENCH_READING_PARTS?.split(',') ?? known
  const unknown = parts.filter((part) => !known.includes(part))
  if (unknown.length > 0) {
    throw new CannotMeasure(`no such part: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  }
  return {
    ...{ parts, halves: halvesOf(BENCH_READING_HALF), folder: process.env.BENCH_READING },
    ...{ only: BENCH_READING_ONLY, showsMisses: process.env.BENCH_READING_MISSES !== undefined },
  }
}

function halvesOf(name: string): Half[] {
  if (name === 'both') return ['development', 'kept-back']
  if (name === 'development' || name === 'kept-back') return [name]
  throw new CannotMeasure('BENCH_READING_HALF is development, kept-back or both.')
}
