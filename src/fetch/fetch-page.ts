import type { StorageState } from '../browser/profile/profile-state.ts'
import type { ContentOptions } from '../content/content.ts'
import type { Captures, Page } from '../content/page.ts'
import { isDocument, isFileAddress, isShownAsText } from '../documents/is-document.ts'
import type { ClassifyMode, PageClassification } from '../extraction/classify/classify-page.ts'
import type { PageParts, PartRequests } from '../extraction/page-parts/parts.ts'
import type { Deadline } from '../platform/deadline.ts'
import { AppError } from '../platform/errors.ts'
import type { PermitOwner } from '../platform/permits.ts'
import type { TraceStep } from '../platform/trace/steps.ts'
import { hashRoute } from '../platform/url.ts'
import type { BrowserPredictor } from './browser-predictor.ts'
import type { Engine } from './fetch-outcome.ts'
import { type FetchOutcome, isFinal, throwIfTooLarge } from './fetch-outcome.ts'
import type { FetchPlan, ProxyTier } from './fetch-plan.ts'

export interface Fetched {
  page: Page
  /** What is wanted of it; undefined where the page is not text. */
  parts: PageParts | undefined
  tier: ProxyTier['name']
  warnings: string[]
  /** What the judge misses in it; undefined where it is good. */
  lack?: PageRejection | undefined
  /** What the browser stored, where the plan wants it saved. */
  state?: StorageState | undefined
}

export interface FetchDeps {
  engines: Engine[]
  memory: BrowserPredictor
  /** The proxies of this installation, for the country of the plan. */
  tiers: (plan: Pick<FetchPlan, 'country'>) => { basic: ProxyTier; enhanced: ProxyTier }
  reader: JudgingReader
}

/** Judges a page and reads it, away from the thread that answers. */
interface JudgingReader {
  read(
    page: Page,
    request: { options: ContentOptions; wishes: PartRequests; judging: ClassifyMode; who: PermitOwner },
    signal: AbortSignal,
  ): Promise<{ parts: PageParts | undefined; judgement: PageClassification | undefined }>
}

/** A page that is not good, and why. */
export type PageRejection = Exclude<PageClassification, { kind: 'good' }>

interface Attempt {
  engine: Engine
  tier: ProxyTier
}

/**
 * Tries engines and tiers in turn until a page is good. When none is, the best that came is returned and says what it lacks. `passed` are pages that
 * led here.
 */
export async function fetchPage(
  deps: FetchDeps,
  plan: FetchPlan,
  deadline: Deadline,
  passed: readonly string[] = [],
): Promise<Fetched> {
  const attempts = attemptsFor(deps, plan)
  const hasEnhanced = attempts.some(({ tier }) => tier.name === 'enhanced')
  const met: { engine: string; proxy: string; reason: string }[] = []
  let best: Fetched | undefined
  let refused: Fetched | undefined
  let firstError: AppError | undefined
  for (const attempt of attempts) {
    const { engine, tier } = attempt
    const outcome = await traceAttempt(plan, attempt, () => attemptFetch(deps, attempt, plan, deadline))
    if (outcome.kind === 'failed') {
      met.push({ engine: engine.name, proxy: tier.name, reason: outcome.error.code })
      firstError ??= outcome.error
      if (isFinal(outcome.error, tier)) throw outcome.error
      if (best) best = { ...best, warnings: [...best.warnings, outcome.error.message] }
      continue
    }
    // The name promised a file, and a page came: it needs the browser after all.
    const isMisnamed = engine.name === 'http' && plan.browserReason !== undefined && !isDocument(outcome.page)
    if (isMisnamed && attempts.some((attempt) => attempt.engine.name === 'chromium')) continue
    const fetched = {
      ...{ page: outcome.page, parts: undefined, tier: tier.name },
      ...{ warnings: [...outcome.warnings, ...unopenedRoute(plan, outcome.page)], state: outcome.state },
    }
    // An enhanced tier that is blocked as well brings nothing more.
    const isSpare = best !== undefined && plan.proxy === 'auto' && tier.name === 'enhanced'
    const judging = isSpare || attempt !== attempts.at(-1) ? 'first' : 'beside'
    const { parts, judgement } = await read(deps, plan, { page: outcome.page, judging }, deadline)
    traceVerdict(plan, judgement)
    if (!judgement || judgement.kind === 'good') {
      const read = { ...fetched, parts, warnings: [...fetched.warnings, ...(judgement?.notes ?? [])] }
      if (hasEnhanced && isRefused(plan, outcome.page)) {
        met.push({ engine: engine.name, proxy: tier.name, reason: `status ${outcome.page.status}` })
        refused ??= read
        continue
      }
      learn(deps.memory, plan, { engine, page: outcome.page, met, notes: judgement?.notes ?? [] })
      return read
    }
    const forward = forwardPlan(plan, outcome.page, { judgement, passed })
    if (forward) {
      const there = await fetchPage(deps, forward, deadline, [...passed, asked(plan.url)])
      return { ...there, page: { ...there.page, requestedUrl: plan.url.href } }
    }
    met.push({ engine: engine.name, proxy: tier.name, reason: judgement.reason })
    if (isSpare) continue
    const warning = shortfall(judgement, plan, deps)
    best = { ...fetched, parts, lack: judgement, warnings: [...fetched.warnings, warning] }
  }
  // An answer that no other tier improved is the answer of the site, at the price of the first.
  if (refused) return refused
  if (best?.parts) return best
  if (best) {
    const { parts } = await read(deps, plan, { page: best.page, judging: 'none' }, deadline)
    return { ...best, parts }
  }
  // What every attempt met says more than "all engines failed" around it.
  if (firstError && met.every(({ reason }) => reason === firstError?.code)) throw firstError
  throw new AppError('SCRAPE_ALL_ENGINES_FAILED', { phase: 'fetch', details: met }, { cause: firstError })
}

/** What a page that came says of pages alike. One that a browser did not make better says nothing, nor does a frame that was asked for. */
function learn(
  memory: BrowserPredictor,
  { teamId, url, content }: FetchPlan,
  came: { engine: Engine; page: Page; met: { engine: string }[]; notes: string[] },
): void {
  const { engine, page, met, notes } = came
  if (page.status >= 400 || notes.length > 0 || content.includeTags.length > 0) return
  if (engine.name === 'http') memory.httpWorked({ teamId, url })
  else if (page.text !== undefined && met.some((attempt) => attempt.engine === 'http'))
    memory.httpFailed({ teamId, url })
}

/** Servers never hear of fragments: a page that one names is drawn by a browser or not at all. */
function unopenedRoute(plan: FetchPlan, page: Page): string[] {
  const route = page.text === undefined && !isDocument(page) ? hashRoute(plan.url) : undefined
  if (route === undefined) return []
  return [
    `${route.slice(0, 100)} names a page that only a browser can open; the page without this fragment was read instead.`,
  ]
}

type Brought = Exclude<FetchOutcome, { kind: 'file' }>

/** What an engine brings. A file is fetched by plain HTTP, whatever a browser was wanted for. */
async function attemptFetch(
  deps: FetchDeps,
  { engine, tier }: Attempt,
  plan: FetchPlan,
  deadline: Deadline,
): Promise<Brought> {
  const outcome = await engine.fetch(plan, tier, deadline)
  if (outcome.kind === 'file') return fileBehind(deps, { plan, tier, ...outcome }, deadline)
  if (outcome.kind === 'failed' || !isShownAsText(outcome.page)) return outcome
  return fileBehind(deps, { plan, tier, captures: {}, warnings: outcome.warnings }, deadline)
}

async function fileBehind(
  deps: FetchDeps,
  found: { plan: FetchPlan; tier: ProxyTier; captures: Captures; warnings: string[] },
  deadline: Deadline,
): Promise<Brought> {
  const { plan, tier, captures, warnings } = found
  if (plan.actions.length > 0) {
    const message =
      'The URL is a file, and actions need a page. Remove the actions to get the text of the file.'
    throw new AppError('SCRAPE_ACTIONS_NOT_SUPPORTED', { phase: 'navigate' }, { message })
  }
  const plain = await deps.engines.find((engine) => engine.name === 'http')?.fetch(plan, tier, deadline)
  if (plain?.kind === 'failed') return plain
  if (plain?.kind !== 'fetched') throw new AppError('SCRAPE_UNSUPPORTED_FILE_ERROR', { phase: 'fetch' })
  return { ...plain, page: { ...plain.page, captures }, warnings: [...warnings, ...plain.warnings] }
}

function attemptsFor(deps: FetchDeps, plan: FetchPlan): Attempt[] {
  const { basic, enhanced } = deps.tiers(plan)
  const http = deps.engines.find((engine) => engine.name === 'http')
  const chromium = deps.engines.find((engine) => engine.name === 'chromium')
  if (plan.browserReason !== undefined && !chromium) {
    throw new AppError('BROWSER_NOT_CONFIGURED', { phase: 'plan', reason: plan.browserReason })
  }
  // A browser only downloads a file; unless it must act or capture, the file is better fetched.
  const isFile =
    isFileAddress(plan.url) && plan.actions.length === 0 && Object.keys(plan.captures).length === 0
  const startsInBrowser = !isFile && (plan.browserReason !== undefined || hashRoute(plan.url) !== undefined)
  const rendering = plan.mayUseBrowser ? chromium : undefined
  const isPlainLeftOut = () => startsInBrowser || (!isFile && deps.memory.leavesOutHttp(plan))
  const plain = rendering && isPlainLeftOut() ? undefined : http
  const engines = [plain, rendering].filter((engine) => engine !== undefined)
  const on = (tier: ProxyTier): Attempt[] => engines.map((engine) => ({ engine, tier }))
  if (plan.proxy === 'basic') return on(basic)
  // Without a proxy of its own it is the basic tier, only that it looks like a browser.
  if (plan.proxy === 'enhanced')
    return on(enhanced.upstream === undefined ? { ...basic, asBrowser: true } : enhanced)
  // Trying once more by the same tier would only ask the site twice.
  const again = enhanced.upstream === undefined ? [] : on(enhanced).slice(-1)
  return [...on(basic), ...again]
}

/**
 * A plain refusal, or nothing at all: what sites answer that do not like where a visitor comes from. What actions led to is
 * never tried again, as they would be done twice, nor is what our own proxy refused.
 */
function isRefused(plan: FetchPlan, { status, headers, text, bytes }: Page): boolean {
  if (plan.proxy !== 'auto' || plan.actions.length > 0 || headers['x-winnow-refused'] !== undefined)
    return false
  if (status === 403 || status === 429) return true
  if (text === undefined) return bytes.length === 0
  return text.length < longestBare && text.replace(bareTags, '').trim() === ''
}

/** A document without anything in it, as a browser writes it. */
const bareTags = /<!doctype[^>]*>|<\/?(?:html|head|body)[^>]*>/gi
const longestBare = 500

async function read(
  { reader }: FetchDeps,
  plan: FetchPlan,
  { page, judging }: { page: Page; judging: ClassifyMode },
  deadline: Deadline,
): Promise<{ parts: PageParts | undefined; judgement: PageClassification | undefined }> {
  throwIfTooLarge(page, plan.maxBytes)
  const { content: options, wishes, teamId: team, isBackground } = plan
  return deadline.during('read', async (signal) => {
    await plan.room.need(page.text?.length ?? page.bytes.length, signal)
    return reader.read(page, { options, wishes, judging, who: { team, isBackground } }, signal)
  })
}

function shortfall(judgement: PageRejection, plan: FetchPlan, deps: FetchDeps): string {
  if (judgement.kind === 'blocked') return `The site blocked the request (${judgement.reason}).`
  const hasBrowser = deps.engines.some((engine) => engine.name === 'chromium')
  const tried = hasBrowser ? 'it did not help' : 'none is configured'
  const why = plan.mayUseBrowser ? tried : 'fastMode forbids one'
  return `The page seems to need a browser (${judgement.reason}), and ${why}.`
}

const maxClientRedirects = 5

/** The address as a server is asked for it. */
const asked = ({ href, hash }: URL) => href.slice(0, href.length - hash.length)

/**
 * How to go on where a page that came by HTTP does nothing but send its visitors elsewhere: the plan for that address. Undefined where it
 * is no such page, where it leads back, or where it has set a cookie, without which its target may say something else: there
 * a browser does what people see.
 */
function forwardPlan(
  plan: FetchPlan,
  page: Page,
  { judgement, passed }: { judgement: PageClassification; passed: readonly string[] },
): FetchPlan | undefined {
  if (judgement.kind !== 'needs-browser' || judgement.forward === undefined) return undefined
  if (page.text !== undefined || plan.browserReason !== undefined || 'set-cookie' in page.headers)
    return undefined
  const url = URL.parse(judgement.forward, page.url)
  if (!url || !/^https?:$/.test(url.protocol) || passed.length >= maxClientRedirects) return undefined
  if ([...passed, asked(plan.url), asked(new URL(page.url))].includes(asked(url))) return undefined
  // What the caller sends is meant for the site that was asked for.
  return url.origin === plan.url.origin ? { ...plan, url } : { ...plan, url, headers: {} }
}

type FetchStep = Extract<TraceStep, { step: 'fetch' }>

/** Fetches, and notes what came of it, also where it throws. */
async function traceAttempt(
  plan: FetchPlan,
  { engine, tier }: Attempt,
  fetch: () => Promise<Brought>,
): Promise<Brought> {
  const began = performance.now()
  const note = (what: Pick<FetchStep, 'result'> & Partial<FetchStep>) =>
    plan.trace.note({
      ...{ step: 'fetch', engine: engine.name, proxy: tier.name, ms: Math.round(performance.now() - began) },
      ...what,
    })
  try {
    const outcome = await fetch()
    if (outcome.kind === 'fetched') note({ result: 'page', ...pageFacts(plan, outcome.page) })
    else note({ result: 'error', ...errorFacts(outcome.error) })
    return outcome
  } catch (thrown) {
    note({ result: 'error', ...(thrown instanceof AppError ? errorFacts(thrown) : {}) })
    throw thrown
  }
}

function pageFacts({ url }: FetchPlan, page: Page): Partial<FetchStep> {
  const contentType = page.headers['content-type']
  return {
    status: page.status,
    ...(page.url === url.href ? {} : { url: page.url }),
    ...(contentType === undefined ? {} : { contentType }),
    ...(page.text === undefined ? { bytes: page.bytes.length } : { characters: page.text.length }),
  }
}

function errorFacts({ code, detail, message }: AppError): Partial<FetchStep> {
  return { code, ...(typeof detail.phase === 'string' ? { phase: detail.phase } : {}), message }
}

/** Notes whether what came is the page that was asked for; a file is not judged. */
function traceVerdict({ trace }: FetchPlan, judgement: PageClassification | undefined): void {
  if (!judgement) return
  const reason = judgement.kind === 'good' ? judgement.notes.join(' ') : judgement.reason
  trace.note({ step: 'verdict', kind: judgement.kind, ...(reason === '' ? {} : { reason }) })
}
