import type { StorageState } from '../browser/profile/profile-state.ts'
import type { Captures, Page } from '../content/page.ts'
import { isDocument, isFileUrl, isShownAsText } from '../documents/is-document.ts'
import type { ClassifyMode, PageClassification } from '../extraction/classify/classify-page.ts'
import type { PageParts } from '../extraction/page-parts/parts.ts'
import type { PageReader } from '../extraction/workers/page-reader.ts'
import type { Deadline } from '../platform/deadline.ts'
import { AppError } from '../platform/errors.ts'
import type { TraceStep } from '../platform/trace/steps.ts'
import { hashRoute } from '../platform/url.ts'
import type { BrowserPredictor } from './browser-predictor.ts'
import { type Engine, type FetchOutcome, isFinal, throwIfTooLarge } from './fetch-outcome.ts'
import type { FetchPlan, ProxyTier } from './fetch-plan.ts'
import { rejectionHeader } from './network/egress/refusal.ts'

export interface FetchResult {
  page: Page
  parts: PageParts | undefined
  tier: ProxyTier['name']
  warnings: string[]
  rejection?: PageRejection | undefined
  state?: StorageState | undefined
}

export interface FetchDeps {
  engines: Engine[]
  predictor: BrowserPredictor
  tiers: (plan: Pick<FetchPlan, 'country'>) => { basic: ProxyTier; enhanced: ProxyTier }
  reader: Pick<PageReader, 'read'>
}

export type PageRejection = Exclude<PageClassification, { kind: 'good' }>

interface Attempt {
  engine: Engine
  tier: ProxyTier
}

/** `redirectChain`: URLs of the pages that led to this one by redirects in their HTML. */
export async function fetchPage(
  deps: FetchDeps,
  plan: FetchPlan,
  deadline: Deadline,
  redirectChain: readonly string[] = [],
): Promise<FetchResult> {
  const attempts = planAttempts(deps, plan)
  const hasEnhanced = attempts.some(({ tier }) => tier.name === 'enhanced')
  const failedAttempts: { engine: string; proxy: string; reason: string }[] = []
  let best: FetchResult | undefined
  let rejectedPage: FetchResult | undefined
  let firstError: AppError | undefined
  for (const attempt of attempts) {
    const { engine, tier } = attempt
    const recordFailure = (reason: string) =>
      failedAttempts.push({ engine: engine.name, proxy: tier.name, reason })
    const outcome = await traceAttempt(plan, attempt, () => attemptFetch(deps, attempt, plan, deadline))
    if (outcome.kind === 'failed') {
      recordFailure(outcome.error.code)
      firstError ??= outcome.error
      if (isFinal(outcome.error, tier)) throw outcome.error
      if (best) best = { ...best, warnings: [...best.warnings, outcome.error.message] }
      continue
    }
    // A URL with the extension of a file returned a page, for which a browser was requested.
    const isMisnamed = engine.name === 'http' && plan.browserReason !== undefined && !isDocument(outcome.page)
    if (isMisnamed && attempts.some((attempt) => attempt.engine.name === 'chromium')) continue
    const fetched = {
      ...{ page: outcome.page, parts: undefined, tier: tier.name },
      ...{ warnings: [...outcome.warnings, ...getRouteWarning(plan, outcome.page)], state: outcome.state },
    }
    const isFallbackTier = best !== undefined && plan.proxy === 'auto' && tier.name === 'enhanced'
    const classifyMode =
      isFallbackTier || attempt !== attempts.at(-1) ? 'read-if-good' : 'read-unless-redirect'
    const { parts, classification } = await read(deps, plan, { page: outcome.page, classifyMode }, deadline)
    traceVerdict(plan, classification)
    if (!classification || classification.kind === 'good') {
      const notes = classification?.notes ?? []
      const read = { ...fetched, parts, warnings: [...fetched.warnings, ...notes] }
      if (hasEnhanced && isRejectedBySite(plan, outcome.page)) {
        recordFailure(`status ${outcome.page.status}`)
        rejectedPage ??= read
        continue
      }
      updatePredictor(deps.predictor, plan, { engine, page: outcome.page, failedAttempts, notes })
      return read
    }
    const forward = forwardPlan(plan, outcome.page, { classification, redirectChain })
    if (forward) {
      const target = await fetchPage(deps, forward, deadline, [...redirectChain, withoutFragment(plan.url)])
      return { ...target, page: { ...target.page, requestedUrl: plan.url.href } }
    }
    recordFailure(classification.reason)
    if (isFallbackTier) continue
    const warning = formatRejection(classification, plan, deps)
    best = { ...fetched, parts, rejection: classification, warnings: [...fetched.warnings, warning] }
  }
  // If no other tier improved the response, it is returned at the price of the first tier.
  if (rejectedPage) return rejectedPage
  if (best?.parts) return best
  if (best) {
    const { parts } = await read(deps, plan, { page: best.page, classifyMode: 'none' }, deadline)
    return { ...best, parts }
  }
  if (firstError && failedAttempts.every(({ reason }) => reason === firstError?.code)) throw firstError
  const detail = { phase: 'fetch', details: failedAttempts }
  throw new AppError('SCRAPE_ALL_ENGINES_FAILED', detail, { cause: firstError })
}

/** Pages of requests with `includeTags` are skipped, because an included element may be in a frame. */
function updatePredictor(
  predictor: BrowserPredictor,
  { teamId, url, content }: FetchPlan,
  result: { engine: Engine; page: Page; failedAttempts: { engine: string }[]; notes: string[] },
): void {
  const { engine, page, failedAttempts, notes } = result
  if (page.status >= 400 || notes.length > 0 || content.includeTags.length > 0) return
  if (engine.name === 'http') predictor.recordHttpSuccess({ teamId, url })
  else if (page.text !== undefined && failedAttempts.some((attempt) => attempt.engine === 'http'))
    predictor.recordHttpFailure({ teamId, url })
}

/** Servers do not receive fragments, so only a browser can open a page that its fragment identifies. */
function getRouteWarning(plan: FetchPlan, page: Page): string[] {
  const route = page.text === undefined && !isDocument(page) ? hashRoute(plan.url)?.slice(0, 100) : undefined
  const consequence = 'the page without this fragment was read instead.'
  return route === undefined ? [] : [`${route} names a page that only a browser can open; ${consequence}`]
}

type PageOutcome = Exclude<FetchOutcome, { kind: 'file' }>

/** Files are always fetched with plain HTTP, even if a browser was requested. */
async function attemptFetch(
  deps: FetchDeps,
  { engine, tier }: Attempt,
  plan: FetchPlan,
  deadline: Deadline,
): Promise<PageOutcome> {
  const outcome = await engine.fetch(plan, tier, deadline)
  if (outcome.kind === 'file') return fetchFile(deps, { plan, tier, ...outcome }, deadline)
  if (outcome.kind === 'failed' || !isShownAsText(outcome.page)) return outcome
  return fetchFile(deps, { plan, tier, captures: {}, warnings: outcome.warnings }, deadline)
}

async function fetchFile(
  deps: FetchDeps,
  file: { plan: FetchPlan; tier: ProxyTier; captures: Captures; warnings: string[] },
  deadline: Deadline,
): Promise<PageOutcome> {
  const { plan, tier, captures, warnings } = file
  if (plan.actions.length > 0) {
    const message =
      'The URL is a file, and actions need a page. Remove the actions to get the text of the file.'
    throw new AppError('SCRAPE_ACTIONS_NOT_SUPPORTED', { phase: 'navigate' }, { message })
  }
  const response = await deps.engines.find((engine) => engine.name === 'http')?.fetch(plan, tier, deadline)
  if (response?.kind === 'failed') return response
  if (response?.kind !== 'fetched') throw new AppError('SCRAPE_UNSUPPORTED_FILE_ERROR', { phase: 'fetch' })
  return { ...response, page: { ...response.page, captures }, warnings: [...warnings, ...response.warnings] }
}

function planAttempts(deps: FetchDeps, plan: FetchPlan): Attempt[] {
  const { basic, enhanced } = deps.tiers(plan)
  const http = deps.engines.find((engine) => engine.name === 'http')
  const chromium = deps.engines.find((engine) => engine.name === 'chromium')
  if (plan.browserReason !== undefined && !chromium) {
    throw new AppError('BROWSER_NOT_CONFIGURED', { phase: 'plan', reason: plan.browserReason })
  }
  const isFile = isFileUrl(plan.url) && plan.actions.length === 0 && Object.keys(plan.captures).length === 0
  const startsInBrowser = !isFile && (plan.browserReason !== undefined || hashRoute(plan.url) !== undefined)
  const browserEngine = plan.mayUseBrowser ? chromium : undefined
  const skipsHttp = () => startsInBrowser || (!isFile && deps.predictor.shouldSkipHttp(plan))
  const httpEngine = browserEngine && skipsHttp() ? undefined : http
  const engines = [httpEngine, browserEngine].filter((engine) => engine !== undefined)
  const withTier = (tier: ProxyTier): Attempt[] => engines.map((engine) => ({ engine, tier }))
  if (plan.proxy === 'basic') return withTier(basic)
  // Without an upstream proxy, the enhanced tier is the basic tier with the fingerprint of a browser.
  if (plan.proxy === 'enhanced')
    return withTier(enhanced.upstream === undefined ? { ...basic, asBrowser: true } : enhanced)
  const enhancedAttempts = enhanced.upstream === undefined ? [] : withTier(enhanced).slice(-1)
  return [...withTier(basic), ...enhancedAttempts]
}

/** Matches responses that sites send to unwanted IP addresses. False after actions, which would run twice. */
function isRejectedBySite(plan: FetchPlan, { status, headers, text, bytes }: Page): boolean {
  if (plan.proxy !== 'auto' || plan.actions.length > 0 || headers[rejectionHeader] !== undefined) return false
  if (status === 403 || status === 429) return true
  if (text === undefined) return bytes.length === 0
  return text.length < maxEmptyDocumentLength && text.replace(documentTags, '').trim() === ''
}

const documentTags = /<!doctype[^>]*>|<\/?(?:html|head|body)[^>]*>/gi
const maxEmptyDocumentLength = 500

async function read(
  { reader }: FetchDeps,
  plan: FetchPlan,
  { page, classifyMode }: { page: Page; classifyMode: ClassifyMode },
  deadline: Deadline,
): ReturnType<PageReader['read']> {
  throwIfTooLarge(page, plan.maxBytes)
  const { content: options, requestedParts, teamId: team, isBackground } = plan
  return deadline.during('read', async (signal) => {
    await plan.permit.need(page.text?.length ?? page.bytes.length, signal)
    return reader.read(page, { options, requestedParts, classifyMode, who: { team, isBackground } }, signal)
  })
}

function formatRejection(classification: PageRejection, plan: FetchPlan, deps: FetchDeps): string {
  if (classification.kind === 'blocked') return `The site blocked the request (${classification.reason}).`
  const hasBrowser = deps.engines.some((engine) => engine.name === 'chromium')
  const browserStatus = hasBrowser ? 'it did not help' : 'none is configured'
  const cause = plan.mayUseBrowser ? browserStatus : 'fastMode forbids one'
  return `The page seems to need a browser (${classification.reason}), and ${cause}.`
}

const maxClientRedirects = 5

const withoutFragment = ({ href, hash }: URL) => href.slice(0, href.length - hash.length)

function forwardPlan(
  plan: FetchPlan,
  page: Page,
  { classification, redirectChain }: { classification: PageClassification; redirectChain: readonly string[] },
): FetchPlan | undefined {
  if (classification.kind !== 'needs-browser' || classification.forward === undefined) return undefined
  // The target may depend on a cookie of this page, so a browser opens it.
  if (page.text !== undefined || plan.browserReason !== undefined || 'set-cookie' in page.headers)
    return undefined
  const url = URL.parse(classification.forward, page.url)
  if (!url || !/^https?:$/.test(url.protocol) || redirectChain.length >= maxClientRedirects) return undefined
  const visited = [...redirectChain, withoutFragment(plan.url), withoutFragment(new URL(page.url))]
  if (visited.includes(withoutFragment(url))) return undefined
  // Headers of the caller may contain credentials, so only the requested site gets them.
  return url.origin === plan.url.origin ? { ...plan, url } : { ...plan, url, headers: {} }
}

type FetchStep = Extract<TraceStep, { step: 'fetch' }>

async function traceAttempt(
  plan: FetchPlan,
  { engine, tier }: Attempt,
  fetch: () => Promise<PageOutcome>,
): Promise<PageOutcome> {
  const began = performance.now()
  const traceStep = (facts: Pick<FetchStep, 'result'> & Partial<FetchStep>) => {
    const ms = Math.round(performance.now() - began)
    plan.trace.note({ step: 'fetch', engine: engine.name, proxy: tier.name, ms, ...facts })
  }
  try {
    const outcome = await fetch()
    if (outcome.kind === 'fetched') traceStep({ result: 'page', ...pageFacts(plan, outcome.page) })
    else traceStep({ result: 'error', ...errorFacts(outcome.error) })
    return outcome
  } catch (thrown) {
    traceStep({ result: 'error', ...(thrown instanceof AppError ? errorFacts(thrown) : {}) })
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

function traceVerdict({ trace }: FetchPlan, classification: PageClassification | undefined): void {
  if (!classification) return
  const reason = classification.kind === 'good' ? classification.notes.join(' ') : classification.reason
  trace.note({ step: 'verdict', kind: classification.kind, ...(reason === '' ? {} : { reason }) })
}
