import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page as Tab } from 'playwright-core'
import type { AdBlocker } from '../../browser/ads/block-ads.ts'
import { emulate, languagesOf } from '../../browser/emulate.ts'
import { applyIdentity, browserIdentity } from '../../browser/identity.ts'
import { limitNavigations, untilParsed } from '../../browser/limit-navigations.ts'
import type { BrowserPool, Turn } from '../../browser/pool.ts'
import {
  emptyState,
  readState,
  restoreState,
  type StorageState,
} from '../../browser/profile/profile-state.ts'
import { type CallerHeaderRoute, sendCallerHeaders } from '../../browser/send-caller-headers.ts'
import { type Settled, settle } from '../../browser/settle.ts'
import { collectStyles } from '../../browser/styles/collect-styles.ts'
import { takeScreenshot } from '../../browser/take-screenshot.ts'
import { type NetworkWatch, watchNetwork } from '../../browser/watch-network.ts'
import type { CapturePlan, Captures, TaskResult } from '../../content/page.ts'
import type { Clock } from '../../platform/clock.ts'
import type { Deadline } from '../../platform/deadline.ts'
import { AppError, type ErrorCode } from '../../platform/errors.ts'
import type { Trace } from '../../platform/trace/trace.ts'
import { hashRoute } from '../../platform/url.ts'
import { runActions } from '../actions/index.ts'
import type { Engine, FetchOutcome } from '../fetch-outcome.ts'
import type { FetchPlan, ProxyTier } from '../fetch-plan.ts'
import type { Egress } from '../network/egress/egress.ts'
import { type Guard, portOf } from '../network/guard.ts'
import { capturePage, watchResponses } from './capture-page.ts'

export interface ChromiumDeps {
  pool: (tier: ProxyTier['name']) => BrowserPool
  egress: Egress
  guard: Guard
  clock: Clock
  adBlocker: () => Promise<AdBlocker>
  /** Undefined where no language model is configured. */
  runTask: RunTask | undefined
}

/** Opens the page in a browser, waits, runs actions, captures. */
export function chromiumEngine(deps: ChromiumDeps): Engine {
  return {
    name: 'chromium',
    async fetch(plan, tier, deadline) {
      // The proxy that a context has says whose connections those of its pages are.
      const exit = await deps.egress.exit({ team: plan.teamId, upstream: tier.upstream })
      const { viewport } = plan.captures.screenshot ?? {}
      const emulation = emulate({ ...plan, viewport, acceptsInvalidCertificates: !plan.verifyTls })
      const context = { ...emulation, proxy: { server: exit.url, bypass: '<-loopback>' } }
      const { teamId, isBackground } = plan
      const visit = (pool: BrowserPool) =>
        deadline
          .during('browser', (signal) =>
            pool.use({ teamId, isBackground, context, signal }, (opened, turn) =>
              open(deps, { context: opened, plan, turn, deadline }),
            ),
          )
          .catch((thrown) => asOutcome(thrown, deadline.signal))
      try {
        const outcome = await visit(deps.pool(tier.name))
        return asksForPassword(outcome) && tier.name === 'enhanced'
          ? await visit(deps.pool('basic'))
          : outcome
      } finally {
        exit.leave()
      }
    },
  }
}

/** A full Chromium asks a person for a password, and shows nothing where there is none; a headless shell shows the page. */
function asksForPassword(outcome: FetchOutcome): boolean {
  return outcome.kind === 'failed' && outcome.error.detail.cause === 'ERR_INVALID_AUTH_CREDENTIALS'
}

interface Visit {
  context: BrowserContext
  plan: FetchPlan
  turn: Turn
  deadline: Deadline
}

/** Times that a page may lead itself on before it is held; an action adds one, and a task `navigationsOfTask`. */
const maxNavigations = 20
const navigationsOfTask = 50

async function open(deps: ChromiumDeps, { context, plan, turn, deadline }: Visit): Promise<FetchOutcome> {
  const { signal } = deadline
  const warnings: string[] = []
  const warn = (what: string) => void warnings.push(what)
  if (plan.profile) await restoreState(context, plan.profile.state ?? emptyState, warn)
  const blocking = plan.blocksAds ? await (await deps.adBlocker()).attach(context) : undefined
  const tab = await context.newPage()
  const [navigation, sent] = await Promise.all([
    limitNavigations(tab, navigationsFor(plan)),
    sendCallerHeaders(tab, { home: plan.url.origin, headers: plan.headers }),
    applyIdentity(
      tab,
      browserIdentity({ ...plan, languages: languagesOf(plan), version: context.browser()?.version() }),
    ),
  ])
  const network = watchNetwork(tab)
  const answers = watchResponses(tab)
  const found = await navigate(tab, plan.url, { guard: deps.guard, turn, deadline, sent, network })
  if (found === 'file') return { kind: 'file', captures: {}, warnings }
  // Half of the time that is left belongs to what comes after.
  const isDrawnOver = hashRoute(plan.url) !== undefined
  const rest = () =>
    noteWait(plan.trace, () =>
      settle(tab, { network, signal, turn, isDrawnOver, mostMs: deadline.remaining() / 2 }),
    )
  const settled = rest()
  // Side by side with the smart wait: most pages have no dialog, and must not pay for those that have.
  const answered = plan.blocksAds ? answerDialogs(tab, signal, settled) : undefined
  let ended = await settled
  // A click on a dialog may have loaded the page anew.
  const answer = answered ? await answered : 'none'
  if (answer !== 'none') {
    plan.trace.note({ step: 'consent', answer })
    ended = await rest()
  }
  if (plan.waitFor > 0) await turn.whileWaiting(() => sleep(plan.waitFor, undefined, { signal }))
  const captures: Captures = {}
  if (answers.isFile()) {
    // Its picture may be wanted; styles and actions are of pages.
    const { styles: _, ...pictures } = plan.captures
    await capture(tab, pictures, { captures, deadline, warn })
    return { kind: 'file', captures, warnings }
  }
  if (plan.actions.length > 0) {
    captures.actions = await runActions(tab, plan.actions, {
      ...deadline,
      ...turn,
      warnings,
      trace: plan.trace,
    })
    ended = await rest()
  }
  const task = await runTaskInTab(deps.runTask, { tab, plan, turn, deadline })
  if (task) captures.task = task
  if (ended === 'out of time' && plan.waitFor === 0) warn(stillLoading)
  await navigation.hold(signal)
  await capture(tab, plan.captures, { captures, deadline, warn })
  const blockedUrls = blocking?.blockedUrls() ?? []
  const facts = { plan, answer: answers.last(), fetchedAt: deps.clock.now(), captures, blockedUrls }
  const page = await capturePage(tab, facts)
  if (navigation.isRestless()) warn(restless)
  const state = plan.profile?.isSaved ? await takeState(context, warn) : undefined
  const told = [blocking?.warning(), ...warnings].filter((warning) => warning !== undefined)
  return { kind: 'fetched', page, warnings: told, state }
}

function navigationsFor({ actions, task }: FetchPlan): number {
  return maxNavigations + actions.length + (task === undefined ? 0 : navigationsOfTask)
}

async function noteWait(trace: Trace, wait: () => Promise<Settled>): Promise<Settled> {
  const began = performance.now()
  const endedBy = await wait()
  trace.note({ step: 'wait', endedBy, ms: Math.round(performance.now() - began) })
  return endedBy
}

const restless = `The page kept navigating; after ${maxNavigations} navigations it was stopped and read as it was.`

const stillLoading =
  'The page was still loading when it was read. Use waitFor to wait longer, or an action to wait for an element.'

/** Loaded with the first page that is opened: the rules for dialogs are large, and many services never need them. */
async function answerDialogs(tab: Tab, signal: AbortSignal, settled: Promise<unknown>) {
  const { handleConsent } = await import('../../browser/consent/consent.ts')
  return handleConsent(tab, { signal, maxMs: 5000, settled })
}

async function capture(
  tab: Tab,
  { styles, screenshot }: CapturePlan,
  { captures, deadline, warn }: { captures: Captures; deadline: Deadline; warn: (what: string) => void },
): Promise<void> {
  if (styles) captures.styles = await collectStyles(tab)
  if (!screenshot) return
  const { file, warning } = await takeScreenshot(tab, screenshot, deadline.remaining())
  captures.screenshot = file
  if (warning !== undefined) warn(warning)
}

/** Lets a language model carry out a task in a tab. */
export type RunTask = (
  tab: Tab,
  order: { teamId: string; prompt: string; timeoutMs: number; turn: Turn; trace: Trace },
  signal: AbortSignal,
) => Promise<TaskResult>

/** The rest of the time belongs to what the page says afterwards. */
const shareOfTime = 0.6

/** Runs the task of the plan in the tab, which is read afterwards. */
async function runTaskInTab(
  runTask: RunTask | undefined,
  { tab, plan, turn, deadline }: { tab: Tab; plan: FetchPlan; turn: Turn; deadline: Deadline },
): Promise<TaskResult | undefined> {
  if (plan.task === undefined) return undefined
  if (!runTask) throw new AppError('MODEL_NOT_CONFIGURED')
  const { teamId, task: prompt, trace } = plan
  const timeoutMs = Math.round(deadline.remaining() * shareOfTime)
  const began = performance.now()
  const note = (result: 'done' | 'failed') =>
    trace.note({
      ...{ step: 'action', index: plan.actions.length, type: 'task' },
      ...{ ms: Math.round(performance.now() - began), result },
    })
  await stayInTab(tab)
  try {
    const task = await runTask(tab, { teamId, prompt, timeoutMs, turn, trace }, deadline.signal)
    note(task.stopped === undefined ? 'done' : 'failed')
    return task
  } catch (thrown) {
    note('failed')
    throw thrown
  }
}

/** The browsers of scrapes open no further tabs, so what would open one is led to this one. */
async function stayInTab(tab: Tab): Promise<void> {
  await tab.addInitScript(openHere)
  await tab.evaluate(openHere)
}

function openHere(): void {
  const lead = ({ target }: Event) => {
    const opening = target instanceof Element ? target.closest('a[target], area[target], form[target]') : null
    opening?.removeAttribute('target')
  }
  for (const type of ['click', 'submit']) document.addEventListener(type, lead, { capture: true })
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

/** What was thrown while a page was open, as an outcome of the fetch. The end of the time is not a matter of the engine. */
function asOutcome(thrown: unknown, signal: AbortSignal): FetchOutcome {
  if (thrown instanceof AppError && thrown.code !== 'SCRAPE_TIMEOUT') return { kind: 'failed', error: thrown }
  if (thrown instanceof AppError || signal.aborted || !isOfPage(thrown)) throw thrown
  const cause = thrown.message.split('\n')[0] ?? ''
  const error = new AppError('SCRAPE_SITE_ERROR', { phase: 'browser', cause }, { message, cause: thrown })
  return { kind: 'failed', error }
}

const message = 'The page could not be read: it closed or replaced itself, or could not be rendered.'

/** What the driver says of pages that go away or do not answer: theirs to answer for, and no fault of ours. */
function isOfPage(thrown: unknown): thrown is Error {
  const words =
    /has been closed|context was destroyed|Cannot find context|Frame was detached|Not attached to an active page|Inspected target navigated|Protocol error|Unable to capture screenshot|Timeout \d+ms exceeded/
  return thrown instanceof Error && words.test(thrown.message)
}

interface Navigation {
  guard: Guard
  turn: Turn
  deadline: Deadline
  sent: CallerHeaderRoute
  network: NetworkWatch
}

/** Leads a tab to a page, and says if there is none but a file. Nothing is done until the site answers, so the place of the tab goes to others meanwhile. */
async function navigate(
  tab: Tab,
  url: URL,
  { guard, turn, deadline, sent, network }: Navigation,
): Promise<'page' | 'file'> {
  const go = (href: string) => tab.goto(href, { waitUntil: 'commit', timeout: deadline.remaining() })
  try {
    const response = await turn.whileWaiting(() =>
      go(url.href).catch((thrown) => {
        const next = sent.stoppedAt()
        if (next === undefined) throw thrown
        return go(next)
      }),
    )
    // Over http our proxy answers in the site's place and strips this header from the site's own answers.
    const refused = response?.url().startsWith('http:') ? response.headers()['x-winnow-refused'] : undefined
    if (refused) throw navigationError(`refused ${refused}`)
    // A document that waits for nothing is busy with itself.
    await turn.whileWaiting(() => untilParsed(tab, deadline.signal), network.isLoading)
    return 'page'
  } catch (thrown) {
    // If the browser has gone, nothing is known of the site.
    const isLost = tab.context().browser()?.isConnected() === false
    if (thrown instanceof AppError || deadline.signal.aborted || isLost) throw thrown
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    // What the driver says where the browser would save the answer instead of showing it.
    if (/Download is starting|ERR_ABORTED/.test(message)) return 'file'
    // A tunnel that the proxy refused looks like one that failed; the guard knows which it was.
    await guard.resolve(url.hostname, portOf(url))
    throw navigationError(message, thrown)
  }
}

/** What Chromium says when a navigation fails → a code of the table. */
const codes: [RegExp, ErrorCode][] = [
  [/refused TARGET_FORBIDDEN|ERR_BLOCKED_BY_CLIENT|ERR_UNSAFE_PORT/, 'TARGET_FORBIDDEN'],
  [/refused SCRAPE_DNS|ERR_NAME_NOT_RESOLVED/, 'SCRAPE_DNS_RESOLUTION_ERROR'],
  [/ERR_CERT_|ERR_SSL_|ERR_BAD_SSL/, 'SCRAPE_SSL_ERROR'],
  [/ERR_TOO_MANY_REDIRECTS/, 'SCRAPE_TOO_MANY_REDIRECTS'],
]

function navigationError(message: string, cause?: unknown): AppError {
  const code = codes.find(([pattern]) => pattern.test(message))?.[1] ?? 'SCRAPE_SITE_ERROR'
  const name = /net::(ERR_\w+)/.exec(message)?.[1]
  return new AppError(code, { phase: 'navigate', ...(name ? { cause: name } : {}) }, { cause })
}
