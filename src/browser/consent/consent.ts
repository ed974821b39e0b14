import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { AutoConsentCMPRule, AutoConsentRuleStep } from '@duckduckgo/autoconsent'
import type { Frame, JSHandle, Page } from 'playwright-core'
import { lazy } from '../../platform/functions.ts'
import { createBannerHandler, hideElements, isPageBlocked, markElements, markHandled } from './banner.ts'

type ConsentOutcome = 'none' | 'rejected' | 'accepted' | 'hidden' | 'failed'

interface ConsentOptions {
  signal: AbortSignal
  maxMs: number
  /** Dialogs are awaited until the page is stable. Without it, the wait is short. */
  settled?: Promise<unknown>
}

/** Never throws. Runs concurrently with the settle wait; after any outcome except `none` the page needs another one. */
export async function handleConsent(page: Page, options: ConsentOptions): Promise<ConsentOutcome> {
  const search: Search = { page, hasDialog: false, parts: [], isFinished: false }
  const completion = new AbortController()
  const signal = AbortSignal.any([options.signal, completion.signal])
  // The remaining time is reserved for hiding a dialog that could not be handled.
  const deadline = delay(options.maxMs * 0.9, undefined, { signal, ref: false }).catch(() => undefined)
  const outcome = await Promise.race([handleDialogs(search, options), deadline])
  search.isFinished = true
  completion.abort()
  return outcome ?? hideRemainingDialog(search, options)
}

interface Search {
  page: Page
  hasDialog: boolean
  parts: string[]
  /** The caller has continued, so no more clicks are allowed. */
  isFinished: boolean
}

const minHideMs = 1000

async function hideRemainingDialog(search: Search, { signal, maxMs }: ConsentOptions) {
  if (!search.hasDialog) return 'none'
  if (signal.aborted) return 'failed'
  const timeout = delay(Math.max(minHideMs, maxMs * 0.1), 'failed' as const)
  return Promise.race([hideDialog(search).catch(() => 'failed' as const), timeout])
}

async function hideDialog({ page, parts }: Search): Promise<'hidden' | 'failed'> {
  const main = page.mainFrame()
  const isHidden = (await hideElements(main, parts)) || (await createBannerHandler(main).hide())
  return isHidden ? 'hidden' : 'failed'
}

const getPauseMs = (checkMs: number) => Math.max(200, 4 * checkMs)
const maxDialogs = 3

async function handleDialogs(search: Search, { settled }: ConsentOptions): Promise<ConsentOutcome> {
  const toTrue = () => true
  const settledSignal = (settled ?? delay(300)).then(toTrue, toTrue)
  let outcome: ConsentOutcome = 'none'
  let isLastCheck = false
  for (let handledCount = 0; handledCount < maxDialogs && !search.isFinished; ) {
    const began = performance.now()
    // A check usually fails because the document was replaced; the next check inspects the new document.
    const result = await handleOpenDialog(search).catch(() => undefined)
    if (result) {
      outcome = result
      handledCount += 1
    } else if (isLastCheck || outcome !== 'none' || search.page.isClosed()) break
    else
      isLastCheck = await Promise.race([settledSignal, delay(getPauseMs(performance.now() - began), false)])
    if (outcome === 'failed') break
  }
  return outcome === 'none' && search.hasDialog ? 'failed' : outcome
}

async function handleOpenDialog(search: Search): Promise<ConsentOutcome | undefined> {
  const rules = await consentRules()
  const main = search.page.mainFrame()
  const mainDialog = (await matchesAnyRule(main, rules)) ? await findKnownDialog(main, rules) : undefined
  const dialog = mainDialog ?? (await findDialogInFrames(search.page, rules))
  return dialog ? handleKnownDialog(search, dialog) : handleUnknownDialog(search)
}

const maxFrames = 5

async function findDialogInFrames(page: Page, rules: ConsentRules) {
  const frames = page.frames().filter((frame) => frame.parentFrame() && rules.matchesFrame(frame.url()))
  for (const frame of frames.slice(0, maxFrames)) {
    try {
      const isShown = await (await frame.frameElement()).isVisible()
      const dialog = isShown ? await findKnownDialog(frame, rules) : undefined
      if (dialog) return dialog
    } catch {
      // The frame was removed.
    }
  }
  return undefined
}

async function handleKnownDialog(search: Search, dialog: KnownDialog): Promise<ConsentOutcome> {
  search.hasDialog = true
  search.parts = dialog.selectors
  const main = search.page.mainFrame()
  const isGone = async () => !(await dialog.isOpen())
  const choose = async (choice: 'reject' | 'accept') => {
    if (!((await dialog[choice]()) && (await waitUntil(search, isGone)))) return false
    await markElements(main, dialog.selectors)
    return true
  }
  if (await choose('reject')) return dialog.isCosmetic ? 'hidden' : 'rejected'
  if (search.isFinished) return 'failed'
  if ((await isPageBlocked(main)) && (await choose('accept'))) return 'accepted'
  return search.isFinished ? 'failed' : hideDialog(search)
}

async function handleUnknownDialog(search: Search): Promise<ConsentOutcome | undefined> {
  const banner = createBannerHandler(search.page.mainFrame())
  const facts = await banner.facts()
  if (!facts || search.isFinished) return undefined
  search.hasDialog = true
  const box = await banner.box()
  const isGone = async () => (await banner.facts()) === null
  const choose = async (choice: 'reject' | 'accept') => {
    if (!((await banner.click(choice)) && (await waitUntil(search, isGone)))) return false
    await markHandled(box)
    return true
  }
  if (facts.hasReject && (await choose('reject'))) return 'rejected'
  if (search.isFinished) return 'failed'
  // Hiding the dialog would leave an empty page: the content only loads after consent.
  const isWall = facts.isBlocking && facts.isAlone && facts.hasAccept
  if (isWall && (await choose('accept'))) return 'accepted'
  return search.isFinished ? 'failed' : hideDialog(search)
}

/** Dialogs fade out, and a click may open a new document, which must load first. */
async function waitUntil(search: Search, isTrue: () => Promise<boolean>): Promise<boolean> {
  for (let attempt = 0; attempt < 10 && !search.isFinished; attempt += 1) {
    if (await isTrue().catch(() => false)) return true
    await delay(100)
  }
  return false
}

interface Autoconsent {
  foundCmp?: Rule
  findCmp(retries: number): Promise<Rule[]>
  prehideElements(): boolean
  doOptOut(): Promise<boolean>
  doOptIn(): Promise<boolean>
}

interface Rule {
  isCosmetic: boolean
  prehideSelectors?: string[]
  detectPopup(): Promise<boolean>
}

const handles = new WeakMap<Frame, JSHandle<Autoconsent>>()

function matchesAnyRule(frame: Frame, rules: ConsentRules): Promise<boolean> {
  return frame.evaluate<boolean>(`(${matchesAnySelector})(${JSON.stringify(rules.selectors(frame.url()))})`)
}

async function findKnownDialog(frame: Frame, rules: ConsentRules) {
  const consent = await getAutoconsent(frame, rules)
  const found = await consent.evaluate(findOpenDialog)
  if (!found) return undefined
  // Rules do not throw in the page, so a failure means that the document was replaced, together with the dialog.
  return {
    ...found,
    reject: () => consent.evaluate((page) => page.doOptOut().catch(() => false)).catch(() => true),
    accept: () => consent.evaluate((page) => page.doOptIn().catch(() => false)).catch(() => true),
    isOpen: () =>
      consent
        .evaluate(async (page) => (await page.foundCmp?.detectPopup().catch(() => false)) ?? false)
        .catch(() => false),
  }
}

type KnownDialog = NonNullable<Awaited<ReturnType<typeof findKnownDialog>>>

async function getAutoconsent(frame: Frame, rules: ConsentRules): Promise<JSHandle<Autoconsent>> {
  const cached = handles.get(frame)
  const isAlive = await cached?.evaluate(() => true).catch(() => false)
  if (cached && isAlive) return cached
  const script = rules.script(frame.url(), frame.parentFrame() === null)
  // The script returns the class that the package exports, instantiated in the page.
  const handle = (await frame.evaluateHandle(script)) as JSHandle<Autoconsent>
  handles.set(frame, handle)
  return handle
}

/** Runs in the page. */
function matchesAnySelector(selectors: string[]): boolean {
  // Some consent managers are detected by their script API, before they show a dialog.
  if ('Cookiebot' in window || '__cmp' in window) return true
  // Selectors are tested one by one: a single list would be slower, and one invalid selector would break it.
  return selectors.some((selector) => {
    try {
      return document.querySelector(selector) !== null
    } catch {
      return false
    }
  })
}

/** Runs in the page. */
async function findOpenDialog(consent: Autoconsent) {
  const found = await consent.findCmp(0)
  // A rule that makes a choice has priority over one that only hides.
  for (const rule of found.sort((left, right) => Number(left.isCosmetic) - Number(right.isCosmetic))) {
    const isOpen = await rule.detectPopup().catch(() => false)
    if (!isOpen) continue
    consent.foundCmp = rule
    consent.prehideElements()
    return { isCosmetic: rule.isCosmetic, selectors: rule.prehideSelectors ?? [] }
  }
  return undefined
}

const consentRules = lazy(async () => {
  const { resolve } = createRequire(import.meta.url)
  const source = await readFile(resolve('@duckduckgo/autoconsent'), 'utf8')
  const file = await readFile(resolve('@duckduckgo/autoconsent/rules/rules.json'), 'utf8')
  // The package generates this file for its own class, whose rule type this is.
  const { autoconsent } = JSON.parse(file) as { autoconsent: AutoConsentCMPRule[] }
  const rules = autoconsent.map((rule) => ({
    rule,
    pattern: rule.runContext?.urlPattern ? new RegExp(rule.runContext.urlPattern) : undefined,
    isForFrames: rule.runContext?.frame === true,
    selectors: rule.detectCmp.flatMap(collectSelectors),
  }))
  const rulesFor = (url: string) => rules.filter(({ pattern }) => !pattern || pattern.test(url))
  return {
    selectors: (url: string) => [
      ...hardCodedSelectors,
      ...rulesFor(url).flatMap(({ selectors }) => selectors),
    ],
    matchesFrame: (url: string) =>
      consentFrameUrl.test(url) ||
      rules.some(({ pattern, isForFrames }) => isForFrames && pattern?.test(url) === true),
    /** Returns a script. Its value is an autoconsent object for a URL, which does nothing until called. */
    script(url: string, isMainFrame: boolean) {
      const applicable = rulesFor(url).filter(({ isForFrames }) => isMainFrame || isForFrames)
      const usedRules = applicable.map(({ rule }) => rule)
      return buildScript(source, usedRules)
    },
  }
})

type ConsentRules = Awaited<ReturnType<typeof consentRules>>

const hardCodedSelectors = [
  ...['#onetrust-banner-sdk', '#onetrust-pc-sdk', '#CybotCookiebotDialog', '#dtcookie-container', '#cmpbox'],
  ...['#truste-show-consent', '#truste-consent-track', '#_evidon_banner', '.klaro', '.unic', '.cmp-root'],
  ...['tiktok-cookie-banner', '#cmp-app-container', '[id^=sp_message_container_]'],
  '[class*=Pills__StyledPill]',
]

/** Consent frames that no URL pattern of a rule covers. */
const consentFrameUrl = /[?&]message_id=|\.sp-prod\.net\/|\.privacymanager\.io\/|consent|cookie/i

/** Takes only the first part of a selector that pierces shadow roots: if it matches, the rest may too. */
function collectSelectors(step: AutoConsentRuleStep): string[] {
  const selectors = [step.exists, step.visible]
    .map((selector) => (Array.isArray(selector) ? selector[0] : selector))
    .filter((selector) => selector !== undefined)
    .filter((selector) => !selector.startsWith('xpath/'))
  return [...selectors, ...(step.any ?? []).flatMap(collectSelectors)]
}

const settings = {
  enabled: false,
  autoAction: null,
  isMainWorld: true,
  enablePrehide: true,
  heuristicMode: 'off',
  logs: {},
}

function buildScript(source: string, rules: AutoConsentCMPRule[]): string {
  return `(() => {
    const module = { exports: {} }
    ${source}
    const consent = new module.exports.default(async () => {})
    consent.initialize(${JSON.stringify(settings)}, null)
    consent.parseDeclarativeRules({ autoconsent: ${JSON.stringify(rules)} })
    return consent
  })()`
}
