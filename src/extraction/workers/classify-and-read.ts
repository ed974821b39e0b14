import { type ContentOptions, readPage } from '../../content/content.ts'
import type { Page } from '../../content/page.ts'
import { type ClassifyMode, classifyPage, type PageClassification } from '../classify/classify-page.ts'
import { type BuiltParts, buildParts, makeSearchPart, type PartRequests } from '../page-parts/parts.ts'

export interface ClassifiedPage {
  judgement: PageClassification | undefined
  made: BuiltParts | undefined
  /** Makes what the page can be found by, where that is wished for: later, as nobody waits for it. */
  makeSearch?: () => Uint8Array<ArrayBuffer>
}

/** Judges a page and makes what is wanted of it, from one tree. */
export async function classifyAndRead(
  page: Page,
  { options, wishes, judging }: { options: ContentOptions; wishes: PartRequests; judging: ClassifyMode },
): Promise<ClassifiedPage> {
  const content = readPage(page, options)
  const judgement = judging === 'none' ? undefined : classifyPage(page, content)
  if (judgement && !isRead(judgement, judging)) return { judgement, made: undefined }
  const { search } = wishes
  return {
    ...{ judgement, made: await buildParts(content, page.url, wishes) },
    ...(search && { makeSearch: () => makeSearchPart(content, page.url, search) }),
  }
}

/** Where a page only leads to another, that one is read. */
function isRead(judgement: PageClassification, judging: ClassifyMode): boolean {
  if (judgement.kind === 'good') return true
  return judging === 'beside' && !('forward' in judgement)
}
