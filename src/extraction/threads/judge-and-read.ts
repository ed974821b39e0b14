import { type ContentOptions, readPage } from '../../content/content.ts'
import type { Page } from '../../content/page.ts'
import { type Judgement, type Judging, judgePage } from '../judge/judge-page.ts'
import { type MadeParts, makeParts, makeSearchPart, type PartWishes } from '../page-data/parts.ts'

export interface JudgedPage {
  judgement: Judgement | undefined
  made: MadeParts | undefined
  /** Makes what the page can be found by, where that is wished for: later, as nobody waits for it. */
  makeSearch?: () => Uint8Array<ArrayBuffer>
}

/** Judges a page and makes what is wanted of it, from one tree. */
export async function judgeAndRead(
  page: Page,
  { options, wishes, judging }: { options: ContentOptions; wishes: PartWishes; judging: Judging },
): Promise<JudgedPage> {
  const content = readPage(page, options)
  const judgement = judging === 'none' ? undefined : judgePage(page, content)
  if (judgement && !isRead(judgement, judging)) return { judgement, made: undefined }
  const { search } = wishes
  return {
    ...{ judgement, made: await makeParts(content, page.url, wishes) },
    ...(search && { makeSearch: () => makeSearchPart(content, page.url, search) }),
  }
}

/** Where a page only leads to another, that one is read. */
function isRead(judgement: Judgement, judging: Judging): boolean {
  if (judgement.kind === 'good') return true
  return judging === 'beside' && !('forward' in judgement)
}
