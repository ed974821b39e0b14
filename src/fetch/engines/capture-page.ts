import { setTimeout as sleep } from 'node:timers/promises'
import type { Response, Page as Tab } from 'playwright-core'
import { readCrossOriginFrames, type Serialising, serialise } from '../../browser/serialise.ts'
import type { Captures, Page } from '../../content/page.ts'
import { isLabelledDocument } from '../../documents/is-document.ts'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { FetchPlan } from '../fetch-plan.ts'

/** The answers to navigations of the main frame; the last one is the document that is shown. */
export function watchResponses(tab: Tab) {
  let last: Response | undefined
  const note = (response: Response) => {
    const request = response.request()
    if (request.isNavigationRequest() && request.frame() === tab.mainFrame()) last = response
  }
  // The answer of a frame that has gone already is not the one of the page.
  tab.on(
    'response',
    listener(note, () => {}),
  )
  return {
    last: () => last,
    /** Whether what is shown is a file that has a reader of its own, such as a picture. */
    isFile: () => last !== undefined && isLabelledDocument(last.url(), last.headers()),
  }
}

/** What the tab shows, as a page. */
export async function capturePage(
  tab: Tab,
  taken: {
    plan: FetchPlan
    answer: Response | undefined
    fetchedAt: number
    captures: Captures
    blockedUrls: string[]
  },
): Promise<Page> {
  const { plan, answer, fetchedAt, captures, blockedUrls } = taken
  const most = plan.maxBytes.html
  // Frames of other sites are read where the caller names parts of the page, which they may be.
  if (plan.content.includeTags.length > 0) await readCrossOriginFrames(tab, most)
  const text = await serialiseStill(tab, { most, blockedUrls })
  const headers = answer ? await answer.allHeaders() : {}
  return {
    requestedUrl: plan.url.href,
    url: tab.url(),
    status: answer?.status() ?? 200,
    headers,
    bytes: new Uint8Array(),
    text,
    fetchedAt,
    captures,
  }
}

const maxTries = 5

/** The document may be replaced while it is read; the next one is read then. */
async function serialiseStill(tab: Tab, how: Serialising): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await serialise(tab, how)
    } catch (thrown) {
      if (thrown instanceof AppError || tab.isClosed() || attempt === maxTries) throw thrown
      await sleep(100)
    }
  }
}
