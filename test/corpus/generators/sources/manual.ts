import type { ManualPage } from './block.ts'
import { guides } from './manual-guides.ts'
import { reference } from './manual-reference.ts'

/** Ten pages of different kinds, which every manual generator renders. */
export const manual: ManualPage[] = [...guides, ...reference]
