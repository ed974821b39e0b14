import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Page as Tab } from 'playwright-core'
import type { Clock } from '../../base/clock.ts'
import type { Deadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import { hashRoute } from '../../base/hash-route.ts'
import type { Trace } from '../../base/trace/trace.ts'
import type { AdBlocker } from '../../browser/ads/block-ads.ts'
import { emulate, languagesOf } from '../../browser/emulate.ts'
import { holdNavigation } from '../../browser/hold-navigation.ts'
import { identityOf, takeIdentity } from '../../browser/identity.ts'
import type { BrowserPool, Turn } from '../../browser/pool.ts'
import {
  emptyState,
  readState,
  restoreState,
  type StorageState,
} from '../../browser/profile/profile-state.ts'
import { sendCallerHeaders } from '../../browser/send-caller-headers.ts'
import { type Settled, settle } from '../../browser/settle.ts'
import { collectStyles } from '../../browser/styles/collect-styles.ts'
import { takeScreenshot } from '../../browser/take-screenshot.ts'
import { watchNetwork } from '../../browser/watch-network.ts'
import type { CapturePlan, Captures } from '../../content/captures.ts'
import type { Egress } from '../../network/egress/egress.ts'
import type { Guard } from '../../network/guard.ts'
import { runActions } from '../actions/index.ts'
import type { FetchOutcome } from '../fetch-outcome.ts'
import type { FetchPlan, ProxyTier } from '../fetch-plan.ts'
import { carryOut, type RunTask } from './carry-out.ts'
import { asOutcome } from './driver-error.ts'
import type { Engine } from './engine.ts'
import { navigate } from './navigate.ts'
import { takePage, watchAnswers } from './take-page.ts'

export interface ChromiumNeeds {
  pool: (tier: ProxyTier['name']) => BrowserPool
  egress: Egress
  guard: Guard
  clock: Clock
  adBlocker: () => Promise<AdBlocker>
  /** Undefined where no language model is configured. */
  runTask: RunTask | undefined
}

/** Opens the page in a browser, waits, runs actions, captures. */
export function chromiumEngine(needs: ChromiumNeeds): Engine {
  return {
    name: 'chromium',
    async fetch(plan, tier, deadline) {
      // The proxy that a context has says whose connections those of its pages are.
      const exit = await needs.egress.exit({ team: plan.teamId, upstream: tier.upstream })
      const context = { ...emulation(plan), proxy: { server: exit.url, bypass: '<-loopback>' } }
      const { teamId, isBackground } = plan
      const visit = (pool: BrowserPool) =>
        deadline
          .during('browser', (signal) =>
            pool.use({ teamId, isBackground, context, signal }, (opened, turn) =>
              open(needs, { context: opened, plan, turn, deadline }),
            ),
          )
          .catch((thrown) => asOutcome(thrown, deadline.signal))
      try {
        const outcome = await visit(needs.pool(tier.name))
        return asksForPassword(outcome) && tier.name === 'enhanced'
          ? await visit(needs.pool('basic'))
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

function emulation(plan: FetchPlan) {
  return emulate({
    isMobile: plan.isMobile,
    country: plan.country,
    languages: plan.languages,
    viewport: plan.captures.screenshot?.viewport,
    acceptsInvalidCertificates: !plan.verifyTls,
  })
}

interface Visit {
  context: BrowserContext
  plan: FetchPlan
  turn: Turn
  deadline: Deadline
}

/** Times that a page may lead itself on before it is held; an action adds one, and a task `navigationsOfTask`. */
const mostNavigations = 20
const navigationsOfTask = 50

async function open(needs: ChromiumNeeds, { context, plan, turn, deadline }: Visit): Promise<FetchOutcome> {
  const { signal } = deadline
  const warnings: string[] = []
  const warn = (what: string) => void warnings.push(what)
  if (plan.profile) await restoreState(context, plan.profile.state ?? emptyState, warn)
  const blocking = plan.blocksAds ? await (await needs.adBlocker()).attach(context) : undefined
  const tab = await context.newPage()
  const [navigation, sent] = await Promise.all([
    holdNavigation(tab, navigationsFor(plan)),
    sendCallerHeaders(tab, { home: plan.url.origin, headers: plan.headers }),
    takeIdentity(
      tab,
      identityOf({ ...plan, languages: languagesOf(plan), version: context.browser()?.version() }),
    ),
  ])
  const network = watchNetwork(tab)
  const answers = watchAnswers(tab)
  const found = await navigate(tab, plan.url, { guard: needs.guard, turn, deadline, sent, network })
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
  const task = await carryOut(needs.runTask, { tab, plan, turn, deadline })
  if (task) captures.task = task
  if (ended === 'out of time' && plan.waitFor === 0) warn(stillLoading)
  await navigation.hold(signal)
  await capture(tab, plan.captures, { captures, deadline, warn })
  const blockedUrls = blocking?.blockedUrls() ?? []
  const facts = { plan, answer: answers.last(), fetchedAt: needs.clock.now(), captures, blockedUrls }
  const page = await takePage(tab, facts)
  if (navigation.isRestless()) warn(restless)
  const state = plan.profile?.isSaved ? await takeState(context, warn) : undefined
  const told = [blocking?.warning(), ...warnings].filter((warning) => warning !== undefined)
  return { kind: 'fetched', page, warnings: told, state }
}

function navigationsFor({ actions, task }: FetchPlan): number {
  return mostNavigations + actions.length + (task === undefined ? 0 : navigationsOfTask)
}

async function noteWait(trace: Trace, wait: () => Promise<Settled>): Promise<Settled> {
  const began = performance.now()
  const endedBy = await wait()
  trace.note({ step: 'wait', endedBy, ms: Math.round(performance.now() - began) })
  return endedBy
}

const restless = `The page kept navigating; after ${mostNavigations} navigations it was stopped and read as it was.`

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
