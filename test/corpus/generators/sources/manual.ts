import type { ManualPage } from './block.ts'
import { guides } from './manual-guides.ts'
import { reference } from './manual-reference.ts'

/** Ten pages, each of another kind, which every generator for manuals renders. */
export const manual: ManualPage[] = [...guides, ...reference]
