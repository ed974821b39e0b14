import type { Content } from '../../content/content.ts'
import { kindOf } from '../../content/content-type.ts'
import type { Page } from '../../content/page.ts'
import { challengeInHeaders, challengeInPage, challengeInText } from './challenge.ts'
import { consentReason, isConsentAddress, isConsentWall } from './consent.ts'
import type { PageFacts } from './page-facts.ts'
import { readFacts } from './read-facts.ts'
import { loginRemark, notFoundRemark, parkedRemark, refusalRemark } from './remarks.ts'
import { emptyShell, forwardReason, likelyShell } from './script-shell.ts'

export type Judgement =
  | { kind: 'good'; notes: string[] }
  /** Sure: the page leaves no doubt that what it is about is missing. Forward: all it does is send its visitors there. */
  | { kind: 'needs-browser'; reason: string; isSure: boolean; forward?: string }
  | { kind: 'blocked'; reason: string }

/**
 * Whether a page is judged before it is read. One that is not good is then left unread, as another attempt may bring a
 * better one; `beside` is for the last attempt, after which it is read all the same.
 */
export type Judging = 'none' | 'first' | 'beside'

/** Whether a fetched page is what was asked for. */
export function judgePage(page: Page, content: Content): Judgement {
  const blocked = challengeInHeaders(page)
  if (blocked !== undefined) return { kind: 'blocked', reason: blocked }
  const kind = kindOf(page).name
  if (kind === 'binary') return good(refusalRemark(page))
  const judgement = kind === 'html' ? judgeHtml(page, content) : judgeText(page, content)
  if (judgement.kind !== 'needs-browser' || page.text === undefined) return judgement
  return good(`Even in a browser, ${judgement.reason}.`)
}

function judgeText(page: Page, content: Content): Judgement {
  const blocked = challengeInText(page, content.rawHtml())
  return blocked === undefined ? good(refusalRemark(page)) : { kind: 'blocked', reason: blocked }
}

function judgeHtml(page: Page, content: Content): Judgement {
  if (page.text === undefined && content.asksForFrames()) {
    const reason = 'includeTags names a frame, and only a browser opens one'
    return { kind: 'needs-browser', reason, isSure: true }
  }
  if (isConsentAddress(page)) return { kind: 'needs-browser', reason: consentReason, isSure: true }
  const isRendered = page.text !== undefined
  const facts = readFacts(content.tree())
  if (facts.isPlenty) return good(refusalRemark(page))
  const blocked = challengeInPage(page, facts) ?? challengeInText(page, content.rawHtml())
  if (blocked !== undefined) return { kind: 'blocked', reason: blocked }
  const parked = parkedRemark(page, facts)
  if (parked !== undefined) return good(parked)
  const reason = isConsentWall(facts) ? consentReason : emptyShell(facts, { isRendered })
  if (reason !== undefined) {
    const forward = reason === forwardReason ? facts.refresh : undefined
    return { kind: 'needs-browser', reason, isSure: true, ...(forward === undefined ? {} : { forward }) }
  }
  const remark = notFoundRemark(page, facts) ?? loginRemark(page, facts) ?? refusalRemark(page)
  if (remark !== undefined) return good(remark)
  const doubt = likelyShell(facts, { status: page.status, isRendered })
  if (doubt !== undefined) return { kind: 'needs-browser', reason: doubt, isSure: false }
  return good(isWordless(facts) ? 'The page has no text.' : undefined)
}

const good = (note: string | undefined): Judgement => ({
  kind: 'good',
  notes: note === undefined ? [] : [note],
})

const isWordless = (facts: PageFacts) =>
  facts.prose + facts.linked + facts.around + facts.noscript.length + facts.media === 0
