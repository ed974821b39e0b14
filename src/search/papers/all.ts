import { arxivPapers } from './arxiv.ts'
import { crossrefPapers } from './crossref.ts'
import { openalexPapers } from './openalex.ts'
import type { PaperCatalogue } from './paper.ts'

/** Providers that know more of papers than where they are found. */
export const paperCatalogues: readonly PaperCatalogue[] = [arxivPapers, openalexPapers, crossrefPapers]
