import type { Half } from '../template.ts'
import { sites as development } from './development.ts'
import { sites as keptBack } from './kept-back.ts'
import type { LearnedSite } from './site.ts'

export const learnedSites: Record<Half, LearnedSite[]> = { development, 'kept-back': keptBack }
