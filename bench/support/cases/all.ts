import type { Half, SupportCase } from '../case.ts'
import type { SupportOptions } from '../options.ts'
import { accountCases } from './development/account.ts'
import { contentCases } from './development/content.ts'
import { crawlingCases } from './development/crawling.ts'
import { featureCases } from './development/features.ts'
import { fetchingCases } from './development/fetching.ts'
import { fileCases } from './development/files.ts'

/** The two halves share causes, and neither pages nor words. */
export const supportCases: Record<Half, readonly SupportCase[]> = {
  development: [
    ...contentCases,
    ...fetchingCases,
    ...crawlingCases,
    ...accountCases,
    ...fileCases,
    ...featureCases,
  ],
  'kept-back': [],
}

export function casesOf({ halves, only }: Pick<SupportOptions, 'halves' | 'only'>): SupportCase[] {
  return halves
    .flatMap((half) => supportCases[half])
    .filter(({ cause, name }) => `${cause} ${name}`.includes(only))
}
