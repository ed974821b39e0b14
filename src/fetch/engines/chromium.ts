import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Response, Page as Tab } from 'playwright-core'
import type { AdBlocker } from '../../browser/ads/block-ads.ts'
import { emulate, languagesOf } from '../../browser/emulate.ts'
import { applyIdentity, browserIdentity } from '../../browser/identity.ts'
import { limitNavigations, waitUntilParsed } from '../../browser/limit-navigations.ts'
import { ignoreError } from '../../browser/page-script.ts'
import type { BrowserPool, TabPermit } from '../../browser/pool.ts'
import { emptyState, readState, restoreState } from '../../browser/profile/profile-state.ts'
import { type CallerHeaderRoute, sendCallerHeaders } from '../../browser/send-caller-headers.ts'
import { readCrossOriginFrames, serialise } from '../../browser/serialise.ts'
import { type SettleResult, settle } from '../../browser/settle.ts'
import { collectStyles } from '../../browser/styles/collect-styles.ts'
import { takeScreenshot } from '../../browser/take-screenshot.ts'
import { type NetworkWatch, watchNetwork } from '../../browser/watch-network.ts'
import type { CapturePlan, Captures, TaskResult } from '../../content/page.ts'
import { isLabelledDocument } from '../../documents/is-document.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Deadline } from '../../platform/deadline.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'
import { listener } from '../../platform/functions.ts'
import type { Trace } from '../../platform/trace/trace.ts'
import { hashRoute } from '../../platform/url.ts'
import { runActions } from '../actions/index.ts'
import type { Engine, FetchOutcome } from '../fetch-outcome.ts'
import type { FetchPlan, ProxyTier } from '../fetch-plan.ts'
import type { Egress } from '../network/egress/egress.ts'
import { rejectionHeader } from '../network/egress/refusal.ts'
import { type Guard, portOf } from '../network/guard.ts'

export interface ChromiumDeps {
  pool: (tier: ProxyTier['name']) => BrowserPool
  egress: Egress
  guard: Guard
  clock: Clock
  adBlocker: () => Promise<AdBlocker>
  runTask: RunTask | undefined
}

export function chromiumEngine(deps: ChromiumDeps): Engine {
  return {
    name: 'chromium',
    async fetch(plan, tier, deadline) {
      const exit = await deps.egress.exit({ team: plan.teamId, upstream: tier.upstream })
      const { viewport } = plan.captures.screenshot ?? {}
      const emulation = emulate({ ...plan, viewport, acceptsInvalidCertificates: !plan.verifyTls })
      const context = { ...emulation, proxy: { server: exit.url, bypass: '<-loopback>' } }
      const { teamId, isBackground } = plan
      const fetchInPool = (pool: BrowserPool) =>
        deadline
          .during('browser', (signal) =>
            pool.use({ teamId, isBackground, context, signal }, (opened, tabPermit) =>
              loadPage(deps, { context: opened, plan, tabPermit, deadline }),
            ),
          )
          .catch((thrown) => toOutcome(thrown, deadline.signal))
      try {
        const outcome = await fetchInPool(deps.pool(tier.name))
        return requiresPassword(outcome) && tier.name === 'enhanced'
          ? await fetchInPool(deps.pool('basic'))
          : outcome
      } finally {
        exit.release()
      }
    },
  }
}

/** Full Chromium prompts for HTTP credentials and shows no page without a user; the headless shell shows the page. */
function requiresPassword(outcome: FetchOutcome): boolean {
  return outcome.kind === 'failed' && outcome.error.detail.cause === 'ERR_INVALID_AUTH_CREDENTIALS'
}

interface PageLoad {
  context: BrowserContext
  plan: FetchPlan
  tabPermit: TabPermit
  deadline: Deadline
}

/** Each action adds one navigation, and a task adds `maxNavigationsOfTask`. */
const maxNavigations = 20
const maxNavigationsOfTask = 50

async function loadPage(deps: ChromiumDeps, load: PageLoad): Promise<FetchOutcome> {
  const { context, plan, tabPermit, deadline } = load
  const { signal } = deadline
  const warnings: string[] = []
  const warn = (warning: string) => void warnings.push(warning)
  if (plan.profile) await restoreState(context, plan.profile.state ?? emptyState, warn)
  const blocking = plan.blocksAds ? await (await deps.adBlocker()).attach(context) : undefined
  const tab = await context.newPage()
  const version = context.browser()?.version()
  const taskNavigations = plan.task === undefined ? 0 : maxNavigationsOfTask
  const [navigation, headerRoute] = await Promise.all([
    limitNavigations(tab, maxNavigations + plan.actions.length + taskNavigations),
    sendCallerHeaders(tab, { origin: plan.url.origin, headers: plan.headers }),
    applyIdentity(tab, browserIdentity({ ...plan, languages: languagesOf(plan), version })),
  ])
  const network = watchNetwork(tab)
  const responses = watchResponses(tab)
  const shown = await navigate(tab, load, { guard: deps.guard, headerRoute, network })
  if (shown === 'file') return { kind: 'file', captures: {}, warnings }
  // A page with a route in its fragment is rendered by a script, possibly over another page.
  const hasClientRoute = hashRoute(plan.url) !== undefined
  // Half of the remaining time is reserved for the following steps.
  const waitUntilSettled = () =>
    traceWait(plan.trace, () =>
      settle(tab, { network, signal, tabPermit, hasClientRoute, maxMs: deadline.remaining() / 2 }),
    )
  const settled = waitUntilSettled()
  // Runs concurrently with the settle wait: most pages have no dialog and must not wait for the check.
  const consentPending = plan.blocksAds ? handleConsentDialogs(tab, signal, settled) : undefined
  let settleResult = await settled
  const consentResult = consentPending ? await consentPending : 'none'
  if (consentResult !== 'none') {
    plan.trace.note({ step: 'consent', answer: consentResult })
    settleResult = await waitUntilSettled()
  }
  if (plan.waitFor > 0) await tabPermit.whileWaiting(() => sleep(plan.waitFor, undefined, { signal }))
  const captures: Captures = {}
  if (responses.isFile()) {
    // A screenshot of a file may be requested; styles and actions apply to pages only.
    const { styles: _, ...imageCaptures } = plan.captures
    await capture(tab, imageCaptures, { captures, deadline, warn })
    return { kind: 'file', captures, warnings }
  }
  if (plan.actions.length > 0) {
    captures.actions = await runActions(tab, plan.actions, {
      ...deadline,
      ...tabPermit,
      warnings,
      trace: plan.trace,
    })
    settleResult = await waitUntilSettled()
  }
  const task = await runTaskInTab(deps.runTask, tab, load)
  if (task) captures.task = task
  if (settleResult === 'out of time' && plan.waitFor === 0) warn(stillLoadingWarning)
  await navigation.stop(signal)
  await capture(tab, plan.captures, { captures, deadline, warn })
  const fetchedAt = deps.clock.now()
  const response = await readResponse(tab, plan, responses.last(), blocking?.blockedUrls())
  const page = { requestedUrl: plan.url.href, ...response, fetchedAt, captures }
  if (navigation.hasReachedLimit()) warn(navigationLimitWarning)
  const state = plan.profile?.isSaved ? await readStateOrWarn(context, warn) : undefined
  const allWarnings = [blocking?.warning(), ...warnings].filter((warning) => warning !== undefined)
  return { kind: 'fetched', page, warnings: allWarnings, state }
}

/** The last response belongs to the displayed document. */
function watchResponses(tab: Tab) {
  let last: Response | undefined
  const onResponse = (response: Response) => {
    const request = response.request()
    if (request.isNavigationRequest() && request.frame() === tab.mainFrame()) last = response
  }
  // A response whose frame is already detached does not belong to the page.
  tab.on('response', listener(onResponse, ignoreError))
  return {
    last: () => last,
    isFile: () => last !== undefined && isLabelledDocument(last.url(), last.headers()),
  }
}

async function readResponse(tab: Tab, plan: FetchPlan, response?: Response, blockedUrls: string[] = []) {
  const max = plan.maxBytes.html
  // Frames of other sites are read only if the caller includes tags, because an included element may be in a frame.
  if (plan.content.includeTags.length > 0) await readCrossOriginFrames(tab, max)
  const text = await serialiseWithRetry(tab, { max, blockedUrls })
  const headers = response ? await response.allHeaders() : {}
  return { url: tab.url(), status: response?.status() ?? 200, headers, bytes: new Uint8Array(), text }
}

const maxTries = 5

async function serialiseWithRetry(tab: Tab, options: { max: number; blockedUrls: string[] }) {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await serialise(tab, options)
    } catch (thrown) {
      if (thrown instanceof AppError || tab.isClosed() || attempt === maxTries) throw thrown
      await sleep(100)
    }
  }
}

async function traceWait(trace: Trace, wait: () => Promise<SettleResult>): Promise<SettleResult> {
  const began = performance.now()
  const endedBy = await wait()
  trace.note({ step: 'wait', endedBy, ms: Math.round(performance.now() - began) })
  return endedBy
}

const navigationLimitWarning = `The page kept navigating; after ${maxNavigations} navigations it was stopped and read as it was.`

const stillLoadingWarning =
  'The page was still loading when it was read. Use waitFor to wait longer, or an action to wait for an element.'

async function handleConsentDialogs(tab: Tab, signal: AbortSignal, settled: Promise<unknown>) {
  // Many services never need the large consent rules.
  const { handleConsent } = await import('../../browser/consent/consent.ts')
  return handleConsent(tab, { signal, maxMs: 5000, settled })
}

async function capture(
  tab: Tab,
  { styles, screenshot }: CapturePlan,
  { captures, deadline, warn }: { captures: Captures; deadline: Deadline; warn: (warning: string) => void },
): Promise<void> {
  if (styles) captures.styles = await collectStyles(tab)
  if (!screenshot) return
  const { file, warning } = await takeScreenshot(tab, screenshot, deadline.remaining())
  captures.screenshot = file
  if (warning !== undefined) warn(warning)
}

export type RunTask = (
  tab: Tab,
  task: { teamId: string; prompt: string; timeoutMs: number; tabPermit: TabPermit; trace: Trace },
  signal: AbortSignal,
) => Promise<TaskResult>

async function runTaskInTab(
  runTask: RunTask | undefined,
  tab: Tab,
  { plan, tabPermit, deadline }: PageLoad,
): Promise<TaskResult | undefined> {
  if (plan.task === undefined) return undefined
  if (!runTask) throw new AppError('MODEL_NOT_CONFIGURED')
  const { teamId, task: prompt, trace } = plan
  // The rest is reserved for reading the page.
  const timeoutMs = Math.round(deadline.remaining() * 0.6)
  const began = performance.now()
  const traceResult = (result: 'done' | 'failed') =>
    trace.note({
      ...{ step: 'action', index: plan.actions.length, type: 'task' },
      ...{ ms: Math.round(performance.now() - began), result },
    })
  // The browser of a scrape opens no further tabs, so a link with a target must open in this one.
  await tab.addInitScript(removeLinkTargets)
  await tab.evaluate(removeLinkTargets)
  try {
    const task = await runTask(tab, { teamId, prompt, timeoutMs, tabPermit, trace }, deadline.signal)
    traceResult(task.stopped === undefined ? 'done' : 'failed')
    return task
  } catch (thrown) {
    traceResult('failed')
    throw thrown
  }
}

/** Runs in the page. */
function removeLinkTargets(): void {
  const removeTarget = ({ target }: Event) => {
    const opening = target instanceof Element ? target.closest('a[target], area[target], form[target]') : null
    opening?.removeAttribute('target')
  }
  for (const type of ['click', 'submit']) document.addEventListener(type, removeTarget, { capture: true })
}

async function readStateOrWarn(context: BrowserContext, onLoss: (warning: string) => void) {
  try {
    return await readState(context, { onLoss })
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown
    onLoss(thrown.message)
    return undefined
  }
}

function toOutcome(thrown: unknown, signal: AbortSignal): FetchOutcome {
  if (thrown instanceof AppError && thrown.code !== 'SCRAPE_TIMEOUT') return { kind: 'failed', error: thrown }
  if (thrown instanceof AppError || signal.aborted || !isPageError(thrown)) throw thrown
  const cause = thrown.message.split('\n')[0] ?? ''
  const message = 'The page could not be read: it closed or replaced itself, or could not be rendered.'
  const error = new AppError('SCRAPE_SITE_ERROR', { phase: 'browser', cause }, { message, cause: thrown })
  return { kind: 'failed', error }
}

function isPageError(thrown: unknown): thrown is Error {
  const pattern =
    /has been closed|context was destroyed|Cannot find context|Frame was detached|Not attached to an active page|Inspected target navigated|Protocol error|Unable to capture screenshot|Timeout \d+ms exceeded/
  return thrown instanceof Error && pattern.test(thrown.message)
}

/** Returns 'file' if the URL is a download. The permit of the tab is lent while the site has not responded. */
async function navigate(
  tab: Tab,
  { plan, tabPermit, deadline }: PageLoad,
  { guard, headerRoute, network }: { guard: Guard; headerRoute: CallerHeaderRoute; network: NetworkWatch },
): Promise<'page' | 'file'> {
  const goTo = (href: string) => tab.goto(href, { waitUntil: 'commit', timeout: deadline.remaining() })
  try {
    const response = await tabPermit.whileWaiting(() =>
      goTo(plan.url.href).catch((thrown) => {
        const next = headerRoute.stoppedAt()
        if (next === undefined) throw thrown
        return goTo(next)
      }),
    )
    // For a rejected http URL, the proxy of the service responds itself.
    const refused = response?.url().startsWith('http:') ? response.headers()[rejectionHeader] : undefined
    if (refused) throw navigationError(`refused ${refused}`)
    // The permit is lent only while the document waits for the network; otherwise the page is active.
    await tabPermit.whileWaiting(() => waitUntilParsed(tab, deadline.signal), network.isLoading)
    return 'page'
  } catch (thrown) {
    const isBrowserGone = tab.context().browser()?.isConnected() === false
    if (thrown instanceof AppError || deadline.signal.aborted || isBrowserGone) throw thrown
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    // These driver messages mean that the browser would download the response instead of displaying it.
    if (/Download is starting|ERR_ABORTED/.test(message)) return 'file'
    // The error of a rejected tunnel is the same as that of a failed tunnel. The guard throws if it rejects the target.
    await guard.resolve(plan.url.hostname, portOf(plan.url))
    throw navigationError(message, thrown)
  }
}

const errorCodes: [RegExp, ErrorCode][] = [
  [/refused TARGET_FORBIDDEN|ERR_BLOCKED_BY_CLIENT|ERR_UNSAFE_PORT/, 'TARGET_FORBIDDEN'],
  [/refused SCRAPE_DNS|ERR_NAME_NOT_RESOLVED/, 'SCRAPE_DNS_RESOLUTION_ERROR'],
  [/ERR_CERT_|ERR_SSL_|ERR_BAD_SSL/, 'SCRAPE_SSL_ERROR'],
  [/ERR_TOO_MANY_REDIRECTS/, 'SCRAPE_TOO_MANY_REDIRECTS'],
]

function navigationError(message: string, cause?: unknown): AppError {
  const code = errorCodes.find(([pattern]) => pattern.test(message))?.[1] ?? 'SCRAPE_SITE_ERROR'
  const name = /net::(ERR_\w+)/.exec(message)?.[1]
  return new AppError(code, { phase: 'navigate', ...(name ? { cause: name } : {}) }, { cause })
}
