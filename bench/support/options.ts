import { MeasureError } from '../figure.ts'
import type { Half } from './case.ts'

export interface SupportOptions {
  parts: readonly string[]
  /** Halves of the cases; the agent is developed with `development`. */
  halves: readonly Half[]
  /** Comma-separated list; only cases whose cause or name contains one of its entries are run. */
  only: string
  /** True to print every wrong answer; never for the half `kept-back`. */
  showsWrong: boolean
}

export function readOptions(known: readonly string[]): SupportOptions {
  const { BENCH_SUPPORT_PARTS = 'cases,questions', BENCH_SUPPORT_HALF = 'development' } = process.env
  const { BENCH_SUPPORT_ONLY = '', BENCH_SUPPORT_SHOW } = process.env
  const parts = BENCH_SUPPORT_PARTS.split(',')
  const unknown = parts.filter((part) => !known.includes(part))
  if (unknown.length > 0) {
    throw new MeasureError(`no such part: ${unknown.join(', ')}. There are: ${known.join(', ')}.`)
  }
  const halves = parseHalves(BENCH_SUPPORT_HALF)
  const showsWrong = BENCH_SUPPORT_SHOW !== undefined && !halves.includes('kept-back')
  return { parts, halves, only: BENCH_SUPPORT_ONLY, showsWrong }
}

function parseHalves(name: string): Half[] {
  if (name === 'both') return ['development', 'kept-back']
  if (name === 'development' || name === 'kept-back') return [name]
  throw new MeasureError('BENCH_SUPPORT_HALF is development, kept-back or both.')
}
