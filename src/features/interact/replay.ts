import type { Page } from 'playwright-core'
import { type Deadline, startDeadline } from '../../base/deadline.ts'
import { withoutPlaces } from '../../base/without-places.ts'
import { emulateOpenPage } from '../../browser/emulate-open-page.ts'
import { settle } from '../../browser/settle.ts'
import { watchNetwork } from '../../browser/watch-network.ts'
import { repeatedOf, runActions, waitingTime } from '../../engine/actions/index.ts'
import { contextOf, type SessionBrowser } from '../sessions/browser.ts'
import { type ReplayContext, unavailable } from './replay-context.ts'

/** Opens the page of a scrape as the scrape found it: device and place, address, waits, actions. */
export async function replay(
  browser: SessionBrowser,
  context: ReplayContext,
  signal: AbortSignal,
): Promise<void> {
  const waits = context.waitFor + waitingTime(context.actions)
  const deadline = startDeadline(
    Math.min(300_000, Math.max(30_000, waits + 45_000)),
    'REPLAY_UNAVAILABLE',
    signal,
  )
  const steps: [phase: string, step: (page: Page) => Promise<unknown>][] = [
    ['emulating the device', (page) => emulateOpenPage(page, emulationOf(context))],
    ['opening the page', (page) => open(page, context, deadline)],
    ['waiting', (page) => page.waitForTimeout(context.waitFor)],
    ['actions', (page) => act(page, context, deadline)],
  ]
  const page = await firstPage(browser)
  for (const [phase, step] of steps) {
    try {
      await deadline.during(phase, () => step(page))
    } catch (thrown) {
      if (signal.aborted) throw thrown
      const reason = deadline.signal.aborted ? 'its time was up' : firstLine(thrown)
      throw unavailable(phase, reason, thrown)
    }
  }
}

async function firstPage(browser: SessionBrowser): Promise<Page> {
  const context = await contextOf(browser)
  return context.pages()[0] ?? context.newPage()
}

function emulationOf({ mobile, location, skipTlsVerification }: ReplayContext) {
  return {
    isMobile: mobile,
    country: location?.country,
    languages: location?.languages ?? [],
    acceptsInvalidCertificates: skipTlsVerification,
  }
}

async function open(page: Page, context: ReplayContext, deadline: Deadline): Promise<void> {
  const network = watchNetwork(page)
  const url = /^https?:/i.test(context.url) ? context.url : `http://${context.url}`
  const response = await page.goto(url, { waitUntil: 'domcontentloaded', timeout: deadline.remaining() })
  if (response?.url().startsWith('http:') && response.headers()['x-winnow-refused'])
    throw new Error('the address is private, local or reserved')
  const settled = settle(page, { network, signal: deadline.signal })
  if (context.blockAds) {
    // A dialog would catch the clicks that follow, as it did not when the page was scraped.
    const { handleConsent } = await import('../../browser/consent/consent.ts')
    await handleConsent(page, { signal: deadline.signal, maxMs: 5000, settled })
  }
  await settled
}

async function act(page: Page, context: ReplayContext, deadline: Deadline): Promise<void> {
  const actions = repeatedOf(context.actions)
  if (actions.length === 0) return
  const network = watchNetwork(page)
  await runActions(page, actions, { remaining: deadline.remaining, signal: deadline.signal })
  await settle(page, { network, signal: deadline.signal })
}

function firstLine(thrown: unknown): string {
  return withoutPlaces((thrown instanceof Error ? thrown.message : String(thrown)).split('\n')[0] ?? '')
}
