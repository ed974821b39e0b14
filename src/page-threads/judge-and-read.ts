import { type ContentOptions, readPage } from '../content/content.ts'
import type { Page } from '../content/page.ts'
import { type Judgement, type Judging, judgePage } from '../engine/judge/judge-page.ts'
import { type MadeParts, makeParts, type PartWishes } from '../page-data/parts.ts'

/** Judges a page and makes what is wanted of it, from one tree. */
export function judgeAndRead(
  page: Page,
  { options, wishes, judging }: { options: ContentOptions; wishes: PartWishes; judging: Judging },
): { judgement: Judgement | undefined; made: MadeParts | undefined } {
  const content = readPage(page, options)
  const judgement = judging === 'none' ? undefined : judgePage(page, content)
  if (judgement && !isRead(judgement, judging)) return { judgement, made: undefined }
  return { judgement, made: makeParts(content, page.url, wishes) }
}

/** Where a page only leads to another, that one is read. */
function isRead(judgement: Judgement, judging: Judging): boolean {
  if (judgement.kind === 'good') return true
  return judging === 'beside' && !('forward' in judgement)
}
