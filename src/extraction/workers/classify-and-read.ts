import { type ContentOptions, readPage } from '../../content/content.ts'
import type { Page } from '../../content/page.ts'
import { type ClassifyMode, classifyPage, type PageClassification } from '../classify/classify-page.ts'
import { type BuiltParts, buildParts, makeSearchPart, type PartRequests } from '../page-parts/parts.ts'

export interface ClassifiedPage {
  judgement: PageClassification | undefined
  made: BuiltParts | undefined
  /** Builds the search index fields, if requested. It is called later, because the caller does not wait for it. */
  makeSearch?: () => Uint8Array<ArrayBuffer>
}

/** Classifies a page and builds its requested parts, with a single parse. */
export async function classifyAndRead(
  page: Page,
  {
    options,
    requestedParts,
    judging,
  }: { options: ContentOptions; requestedParts: PartRequests; judging: ClassifyMode },
): Promise<ClassifiedPage> {
  const content = readPage(page, options)
  const judgement = judging === 'none' ? undefined : classifyPage(page, content)
  if (judgement && !shouldRead(judgement, judging)) return { judgement, made: undefined }
  const { search } = requestedParts
  return {
    ...{ judgement, made: await buildParts(content, page.url, requestedParts) },
    ...(search && { makeSearch: () => makeSearchPart(content, page.url, search) }),
  }
}

/** A page that only redirects is not read, because its target is fetched instead. */
function shouldRead(judgement: PageClassification, judging: ClassifyMode): boolean {
  if (judgement.kind === 'good') return true
  return judging === 'beside' && !('forward' in judgement)
}
