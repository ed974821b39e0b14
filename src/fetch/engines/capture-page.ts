import { setTimeout as sleep } from 'node:timers/promises'
import type { Response, Page as Tab } from 'playwright-core'
import { readCrossOriginFrames, type SerialiseOptions, serialise } from '../../browser/serialise.ts'
import type { Captures, Page } from '../../content/page.ts'
import { isLabelledDocument } from '../../documents/is-document.ts'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { FetchPlan } from '../fetch-plan.ts'

/** Tracks the navigation responses of the main frame. The last response belongs to the displayed document. */
export function watchResponses(tab: Tab) {
  let last: Response | undefined
  const onResponse = (response: Response) => {
    const request = response.request()
    if (request.isNavigationRequest() && request.frame() === tab.mainFrame()) last = response
  }
  // A response whose frame is already detached is ignored, because it does not belong to the page.
  tab.on(
    'response',
    listener(onResponse, () => {}),
  )
  return {
    last: () => last,
    /** Returns true if the tab shows a file that has its own parser, such as an image. */
    isFile: () => last !== undefined && isLabelledDocument(last.url(), last.headers()),
  }
}

/** Returns the content of the tab as a page. */
export async function capturePage(
  tab: Tab,
  options: {
    plan: FetchPlan
    answer: Response | undefined
    fetchedAt: number
    captures: Captures
    blockedUrls: string[]
  },
): Promise<Page> {
  const { plan, answer, fetchedAt, captures, blockedUrls } = options
  const maxBytes = plan.maxBytes.html
  // Frames of other sites are read only if the caller includes tags, because an included element may be in a frame.
  if (plan.content.includeTags.length > 0) await readCrossOriginFrames(tab, maxBytes)
  const text = await serialiseWithRetry(tab, { max: maxBytes, blockedUrls })
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

/** Serialises the document. Retries if the document is replaced while it is being read. */
async function serialiseWithRetry(tab: Tab, options: SerialiseOptions): Promise<string> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await serialise(tab, options)
    } catch (thrown) {
      if (thrown instanceof AppError || tab.isClosed() || attempt === maxTries) throw thrown
      await sleep(100)
    }
  }
}
