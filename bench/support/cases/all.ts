import type { Half, SupportCase } from '../case.ts'
import type { SupportOptions } from '../options.ts'
import * as development from './development/all.ts'
import * as keptBack from './kept-back/all.ts'

/** Cases by half. The halves have the same causes, but different pages and questions. */
export const supportCases: Record<Half, readonly SupportCase[]> = {
  development: Object.values(development).flat(),
  'kept-back': Object.values(keptBack).flat(),
}

export function casesOf({ halves, only }: Pick<SupportOptions, 'halves' | 'only'>): SupportCase[] {
  return halves
    .flatMap((half) => supportCases[half])
    .filter(({ cause, name }) => only.split(',').some((part) => `${cause} ${name}`.includes(part)))
}
