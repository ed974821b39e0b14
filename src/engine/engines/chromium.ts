import type { BrowserContext, Response, Page as Tab } from 'playwright-core'
import type { Clock } from '../../base/clock.ts'
import type { Deadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { AdBlocker } from '../../browser/block-ads.ts'
import { collectStyles } from '../../browser/collect-styles.ts'
import { emulate } from '../../browser/emulate.ts'
import type { BrowserPool } from '../../browser/pool.ts'
import { emptyState, readState, restoreState, type StorageState } from '../../browser/profile-state.ts'
import { serialise } from '../../browser/serialise.ts'
import { settle, watchNetwork } from '../../browser/settle.ts'
import { takeScreenshot } from '../../browser/take-screenshot.ts'
import type { Captures } from '../../content/captures.ts'
import type { Page } from '../../content/page.ts'
import type { Egress } from '../../network/egress.ts'
import type { Guard } from '../../network/guard.ts'
import { runActions } from '../actions/index.ts'
import type { FetchPlan } from '../fetch-plan.ts'
import type { Verdict } from '../verdict.ts'
import type { Engine } from './engine.ts'
import { navigationError } from './navigation-error.ts'

export interface ChromiumNeeds {
  pool: BrowserPool
  egress: Egress
  guard: Guard
  clock: Clock
  adBlocker: () => Promise<AdBlocker>
}

/** Opens the page in a browser, waits, runs actions, captures. */
export function chromiumEngine(needs: ChromiumNeeds): Engine {
  return {
    name: 'chromium',
    async fetch(plan, way, deadline) {
      // The proxy that a context has says whose connections those of its pages are.
      const exit = await needs.egress.exit({ team: plan.teamId, upstream: way.upstream })
      const context = { ...emulation(plan), proxy: { server: exit.url, bypass: '<-loopback>' } }
      try {
        return await deadline.during('browser', (signal) =>
          needs.pool.use({ teamId: plan.teamId, context, signal }, (opened) =>
            open(needs, opened, plan, deadline),
          ),
        )
      } catch (thrown) {
        if (thrown instanceof AppError && thrown.code !== 'SCRAPE_TIMEOUT')
          return { kind: 'failed', error: thrown }
        throw thrown
      } finally {
        exit.leave()
      }
    },
  }
}

function emulation(plan: FetchPlan) {
  return emulate({
    isMobile: plan.isMobile,
    country: plan.country,
    languages: plan.languages,
    viewport: plan.captures.screenshot?.viewport,
    acceptsInvalidCertificates: !plan.verifyTls,
  })
}

async function open(
  needs: ChromiumNeeds,
  context: BrowserContext,
  plan: FetchPlan,
  deadline: Deadline,
): Promise<Verdict> {
  const { signal } = deadline
  const losses: string[] = []
  const onLoss = (what: string) => void losses.push(what)
  if (plan.profile) await restoreState(context, plan.profile.state ?? emptyState, onLoss)
  await prepare(needs, context, plan)
  const tab = await context.newPage()
  const crashed = watchCrash(tab)
  const network = watchNetwork(tab)
  const answers = watchAnswers(tab)
  const work = async (): Promise<Verdict> => {
    await navigate(needs, tab, plan, deadline)
    const settled = settle(tab, network, signal)
    // Side by side with the smart wait: most pages have no dialog, and must not pay for those that have.
    const answered = plan.blocksAds ? answerDialogs(tab, signal, settled) : undefined
    await settled
    // A click on a dialog may have loaded the page anew.
    if (answered && (await answered) !== 'none') await settle(tab, network, signal)
    if (plan.waitFor > 0) await tab.waitForTimeout(plan.waitFor)
    const captures = await capture(tab, plan, deadline, () => settle(tab, network, signal))
    const page = await takePage(tab, { plan, answers, clock: needs.clock, captures })
    const blocking = plan.blocksAds ? (await needs.adBlocker()).warning() : undefined
    const state = plan.profile?.isSaved ? await takeState(context, onLoss) : undefined
    const warnings = blocking === undefined ? losses : [blocking, ...losses]
    return { kind: 'fetched', page, warnings, state }
  }
  return Promise.race([work(), crashed])
}

/** Loaded with the first page that is opened: the rules for dialogs are large, and many services never need them. */
async function answerDialogs(tab: Tab, signal: AbortSignal, settled: Promise<void>) {
  const { handleConsent } = await import('../../browser/consent.ts')
  return handleConsent(tab, { signal, maxMs: 5000, settled })
}

async function prepare(needs: ChromiumNeeds, context: BrowserContext, plan: FetchPlan): Promise<void> {
  if (plan.blocksAds) await (await needs.adBlocker()).attach(context)
  if (Object.keys(plan.headers).length === 0) return
  // Headers of the caller may hold secrets: they go to the origin they were meant for and to no other.
  await context.route(
    (url) => url.origin === plan.url.origin,
    (route) => route.fallback({ headers: { ...route.request().headers(), ...plan.headers } }),
  )
}

async function navigate(needs: ChromiumNeeds, tab: Tab, plan: FetchPlan, deadline: Deadline): Promise<void> {
  try {
    const response = await tab.goto(plan.url.href, {
      waitUntil: 'domcontentloaded',
      timeout: deadline.remaining(),
    })
    // Over http our proxy answers in the site's place and strips this header from the site's own answers.
    const refused = response?.url().startsWith('http:') ? response.headers()['x-winnow-refused'] : undefined
    if (refused) throw navigationError(`refused ${refused}`)
  } catch (thrown) {
    if (thrown instanceof AppError || deadline.signal.aborted) throw thrown
    // A tunnel that the proxy refused looks like one that failed; the guard knows which it was.
    const port = Number(plan.url.port || (plan.url.protocol === 'https:' ? 443 : 80))
    await needs.guard.resolve(plan.url.hostname, port)
    throw navigationError(thrown instanceof Error ? thrown.message : String(thrown), thrown)
  }
}

async function capture(
  tab: Tab,
  plan: FetchPlan,
  deadline: Deadline,
  settleAgain: () => Promise<void>,
): Promise<Captures> {
  const captures: Captures = {}
  if (plan.actions.length > 0) {
    const { signal, remaining } = deadline
    captures.actions = await runActions(tab, plan.actions, { signal, remaining })
    await settleAgain()
  }
  if (plan.captures.styles) captures.styles = await collectStyles(tab)
  const wish = plan.captures.screenshot
  if (wish) captures.screenshot = await takeScreenshot(tab, wish, deadline.remaining())
  return captures
}

/** The answers to navigations of the main frame; the last one is the document that is shown. */
function watchAnswers(tab: Tab) {
  let last: Response | undefined
  tab.on('response', (response) => {
    const request = response.request()
    if (request.isNavigationRequest() && request.frame() === tab.mainFrame()) last = response
  })
  return { last: () => last }
}

/** A page that was brought back is not lost because what it stored cannot be kept. */
async function takeState(
  context: BrowserContext,
  onLoss: (what: string) => void,
): Promise<StorageState | undefined> {
  try {
    return await readState(context, { onLoss })
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    onLoss(thrown.message)
    return undefined
  }
}

function watchCrash(tab: Tab): Promise<never> {
  return new Promise((_, reject) => {
    tab.once('crash', () =>
      reject(new AppError('SCRAPE_SITE_ERROR', { phase: 'browser', cause: 'the page crashed' })),
    )
  })
}

async function takePage(
  tab: Tab,
  taken: { plan: FetchPlan; answers: { last(): Response | undefined }; clock: Clock; captures: Captures },
): Promise<Page> {
  const answer = taken.answers.last()
  const headers = answer ? await answer.allHeaders() : {}
  return {
    requestedUrl: taken.plan.url.href,
    url: tab.url(),
    status: answer?.status() ?? 200,
    headers,
    bytes: new Uint8Array(),
    text: await serialise(tab),
    fetchedAt: taken.clock.now(),
    captures: taken.captures,
  }
}
