import type { Half, SupportCase } from '../case.ts'
import type { SupportOptions } from '../options.ts'
import { contentCases } from './development/content.ts'

/** The two halves share causes, and neither pages nor words. */
export const supportCases: Record<Half, readonly SupportCase[]> = {
  development: [...contentCases],
  'kept-back': [],
}

export function casesOf({ halves, only }: Pick<SupportOptions, 'halves' | 'only'>): SupportCase[] {
  return halves
    .flatMap((half) => supportCases[half])
    .filter(({ cause, name }) => `${cause} ${name}`.includes(only))
}
