import { type ContentOptions, readPage } from '../../content/content.ts'
import type { Page } from '../../content/page.ts'
import { type ClassifyMode, classifyPage, type PageClassification } from '../classify/classify-page.ts'
import { type BuiltParts, buildParts, makeSearchPart, type PartRequests } from '../page-parts/parts.ts'

export interface ClassifiedPage {
  classification: PageClassification | undefined
  builtParts: BuiltParts | undefined
  /** Builds the search index fields, if requested. The caller does not wait for it. */
  makeSearch?: () => Uint8Array<ArrayBuffer>
}

export async function classifyAndRead(
  page: Page,
  request: { options: ContentOptions; requestedParts: PartRequests; classifyMode: ClassifyMode },
): Promise<ClassifiedPage> {
  const { options, requestedParts, classifyMode } = request
  const content = readPage(page, options)
  const classification = classifyMode === 'none' ? undefined : classifyPage(page, content)
  if (classification && !shouldRead(classification, classifyMode))
    return { classification, builtParts: undefined }
  const { search } = requestedParts
  return {
    ...{ classification, builtParts: await buildParts(content, page.url, requestedParts) },
    ...(search && { makeSearch: () => makeSearchPart(content, page.url, search) }),
  }
}

/** A page that only redirects is not read, because its target is fetched instead. */
function shouldRead(classification: PageClassification, classifyMode: ClassifyMode): boolean {
  if (classification.kind === 'good') return true
  return classifyMode === 'read-unless-redirect' && !('forward' in classification)
}
