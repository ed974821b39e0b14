import { arxivPapers } from './arxiv.ts'
import { crossrefPapers } from './crossref.ts'
import { openalexPapers } from './openalex.ts'
import type { PaperCatalogue } from './paper.ts'

/** Providers that return metadata of papers in addition to their URLs. */
export const paperCatalogues: readonly PaperCatalogue[] = [arxivPapers, openalexPapers, crossrefPapers]
