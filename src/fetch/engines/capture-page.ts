import { setTimeout as sleep } from 'node:timers/promises'
import type { Response, Page as Tab } from 'playwright-core'
import { readCrossOriginFrames, type SerialiseOptions, serialise } from '../../browser/serialise.ts'
import type { Captures, Page } from '../../content/page.ts'
import { isLabelledDocument } from '../../documents/is-document.ts'
import { AppError } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { FetchPlan } from '../fetch-plan.ts'

/** The last response belongs to the displayed document. */
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
    isFile: () => last !== undefined && isLabelledDocument(last.url(), last.headers()),
  }
}

export async function capturePage(
  tab: Tab,
  plan: FetchPlan,
  capture: { answer: Response | undefined; fetchedAt: number; captures: Captures; blockedUrls: string[] },
): Promise<Page> {
  const { answer, fetchedAt, captures, blockedUrls } = capture
  const max = plan.maxBytes.html
  // Frames of other sites are read only if the caller includes tags, because an included element may be in a frame.
  if (plan.content.includeTags.length > 0) await readCrossOriginFrames(tab, max)
  const text = await serialiseWithRetry(tab, { max, blockedUrls })
  const headers = answer ? await answer.allHeaders() : {}
  return {
    ...{ requestedUrl: plan.url.href, url: tab.url(), status: answer?.status() ?? 200, headers },
    ...{ bytes: new Uint8Array(), text, fetchedAt, captures },
  }
}

const maxTries = 5

/** Retries if the document is replaced while it is being read. */
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
