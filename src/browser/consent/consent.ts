import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { setTimeout as delay } from 'node:timers/promises'
import type { AutoConsentCMPRule, AutoConsentRuleStep } from '@duckduckgo/autoconsent'
import type { Frame, JSHandle, Page } from 'playwright-core'
import { once } from '../../platform/functions.ts'
import { hideElements, markAnswered, markElements, noBanner, pageIsBlocked } from './banner.ts'

type ConsentOutcome = 'none' | 'rejected' | 'accepted' | 'hidden' | 'failed'

interface ConsentOptions {
  signal: AbortSignal
  maxMs: number
  /** Resolves when the page is stable: until then, wait for a dialog. Without it, wait only a moment. */
  settled?: Promise<unknown>
}

/**
 * Answers cookie dialogs: rejects if that is offered. Resolves soon if there is none; never throws. Meant to run
 * in parallel with the smart wait; after any outcome except `none` the page needs another smart wait.
 */
export async function handleConsent(page: Page, options: ConsentOptions): Promise<ConsentOutcome> {
  const search: Search = { page, hasDialog: false, parts: [], isOver: false }
  const over = new AbortController()
  // The remaining time is for hiding a dialog that could not be answered.
  const late = delay(options.maxMs * 0.9, undefined, {
    signal: AbortSignal.any([options.signal, over.signal]),
    ref: false,
  }).catch(() => undefined)
  const outcome = await Promise.race([answerDialogs(search, options), late])
  search.isOver = true
  over.abort()
  return outcome ?? giveUp(search, options)
}

interface Search {
  page: Page
  hasDialog: boolean
  /** Selectors of the parts of the dialog, if a rule knows them. */
  parts: string[]
  /** The caller has continued: no more clicks. */
  isOver: boolean
}

/** On a busy machine even that takes a while, and a dialog that stays covers the page. */
const minForHiding = 1000

async function giveUp(search: Search, { signal, maxMs }: ConsentOptions): Promise<ConsentOutcome> {
  if (!search.hasDialog) return 'none'
  if (signal.aborted) return 'failed'
  const late = delay(Math.max(minForHiding, maxMs * 0.1), 'failed' as const)
  return Promise.race([hide(search).catch(() => 'failed' as const), late])
}

async function hide({ page, parts }: Search): Promise<'hidden' | 'failed'> {
  const main = page.mainFrame()
  const isHidden = (await hideElements(main, parts)) || (await noBanner(main).hide())
  return isHidden ? 'hidden' : 'failed'
}

/** Interval between two checks of a loading page; longer if a check is slow, so that the page can continue. */
const pauseAfter = (lookMs: number) => Math.max(200, 4 * lookMs)
/** One dialog may lead to another, up to this many. */
const maxAnswers = 3

async function answerDialogs(search: Search, { settled }: ConsentOptions): Promise<ConsentOutcome> {
  const rest = (settled ?? delay(300)).then(
    () => true,
    () => true,
  )
  let outcome: ConsentOutcome = 'none'
  let isLastLook = false
  for (let answers = 0; answers < maxAnswers && !search.isOver; ) {
    const began = performance.now()
    // Usually it fails because the document was replaced during the check; the next check sees the new one.
    const answered = await answerOne(search).catch(() => undefined)
    if (answered) {
      outcome = answered
      answers += 1
    } else if (isLastLook || outcome !== 'none' || search.page.isClosed()) break
    else isLastLook = await Promise.race([rest, delay(pauseAfter(performance.now() - began), false)])
    if (outcome === 'failed') break
  }
  return outcome === 'none' && search.hasDialog ? 'failed' : outcome
}

/** Answers the dialog that is open now, if one is. */
async function answerOne(search: Search): Promise<ConsentOutcome | undefined> {
  const rules = await consentRules()
  const main = search.page.mainFrame()
  const mainDialog = (await mayBeKnown(main, rules)) ? await knownDialog(main, rules) : undefined
  const dialog = mainDialog ?? (await dialogInFrame(search.page, rules))
  return dialog ? answerKnown(search, dialog) : answerUnknown(search)
}

const maxFrames = 5

async function dialogInFrame(page: Page, rules: ConsentRules): Promise<KnownDialog | undefined> {
  const frames = page.frames().filter((frame) => frame.parentFrame() && rules.knowsFrame(frame.url()))
  for (const frame of frames.slice(0, maxFrames)) {
    try {
      // Many frames are invisible and only exchange cookies.
      const isShown = await (await frame.frameElement()).isVisible()
      const dialog = isShown ? await knownDialog(frame, rules) : undefined
      if (dialog) return dialog
    } catch {
      // The frame went away; the page is still there.
    }
  }
  return undefined
}

async function answerKnown(search: Search, dialog: KnownDialog): Promise<ConsentOutcome> {
  search.hasDialog = true
  search.parts = dialog.selectors
  const main = search.page.mainFrame()
  const isGone = async () => !(await dialog.isOpen())
  if ((await dialog.reject()) && (await soon(search, isGone))) {
    await markElements(main, dialog.selectors)
    return dialog.isCosmetic ? 'hidden' : 'rejected'
  }
  if (search.isOver) return 'failed'
  const isBlocked = await pageIsBlocked(main)
  if (isBlocked && (await dialog.accept()) && (await soon(search, isGone))) {
    await markElements(main, dialog.selectors)
    return 'accepted'
  }
  return search.isOver ? 'failed' : hide(search)
}

async function answerUnknown(search: Search): Promise<ConsentOutcome | undefined> {
  const banner = noBanner(search.page.mainFrame())
  const facts = await banner.facts()
  if (!facts || search.isOver) return undefined
  search.hasDialog = true
  const box = await banner.box()
  const isGone = async () => (await banner.facts()) === null
  const answered = async (choice: 'reject' | 'accept') => {
    if (!((await banner.click(choice)) && (await soon(search, isGone)))) return false
    await markAnswered(box)
    return true
  }
  if (facts.hasReject && (await answered('reject'))) return 'rejected'
  if (search.isOver) return 'failed'
  // Hiding it would leave an empty page: the content only loads after consent.
  const isWall = facts.isBlocking && facts.isAlone && facts.hasAccept
  if (isWall && (await answered('accept'))) return 'accepted'
  return search.isOver ? 'failed' : hide(search)
}

/** Dialogs fade out, and a click may open a new document, which must load first. */
async function soon(search: Search, isTrue: () => Promise<boolean>): Promise<boolean> {
  for (let tries = 0; tries < 10 && !search.isOver; tries += 1) {
    if (await isTrue().catch(() => false)) return true
    await delay(100)
  }
  return false
}

interface KnownDialog {
  /** It offers no choice that a rule could make; the rule hides it. */
  isCosmetic: boolean
  reject(): Promise<boolean>
  accept(): Promise<boolean>
  isOpen(): Promise<boolean>
  /** Selectors of its parts. */
  selectors: string[]
}

/** The part of the class of that name that is used here. */
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

/** Whether a rule may match a dialog in a document: cheap, unlike running all rules. */
function mayBeKnown(frame: Frame, rules: ConsentRules): Promise<boolean> {
  return frame.evaluate<boolean>(`(${hasOneOf})(${JSON.stringify(rules.selectors(frame.url()))})`)
}

/** The dialog of a consent manager that is open in a frame. */
async function knownDialog(frame: Frame, rules: ConsentRules): Promise<KnownDialog | undefined> {
  const consent = await autoconsentIn(frame, rules)
  const found = await consent.evaluate(openDialog)
  if (!found) return undefined
  // Rules do not throw in the page, so a failure means that the document is gone, together with the dialog.
  return {
    ...found,
    reject: () => consent.evaluate((page) => page.doOptOut().catch(() => false)).catch(() => true),
    accept: () => consent.evaluate((page) => page.doOptIn().catch(() => false)).catch(() => true),
    isOpen: () => consent.evaluate(isStillOpen).catch(() => false),
  }
}

async function autoconsentIn(frame: Frame, rules: ConsentRules): Promise<JSHandle<Autoconsent>> {
  const known = handles.get(frame)
  const isAlive = await known?.evaluate(() => true).catch(() => false)
  if (known && isAlive) return known
  // The script's value is what the package exports, made in the page.
  const handle = (await frame.evaluateHandle(
    rules.script(frame.url(), frame.parentFrame() === null),
  )) as JSHandle<Autoconsent>
  handles.set(frame, handle)
  return handle
}

/** Runs in the page. */
function hasOneOf(selectors: string[]): boolean {
  // Some managers are detected by their script API, before they show anything.
  if ('Cookiebot' in window || '__cmp' in window) return true
  // One by one: a single list would be slower, and one invalid selector would break it.
  return selectors.some((selector) => {
    try {
      return document.querySelector(selector) !== null
    } catch {
      return false
    }
  })
}

/** Runs in the page. */
async function openDialog(consent: Autoconsent) {
  const found = await consent.findCmp(0)
  // A rule that makes a choice goes before one that only hides.
  for (const rule of found.sort((one, other) => Number(one.isCosmetic) - Number(other.isCosmetic))) {
    const isOpen = await rule.detectPopup().catch(() => false)
    if (!isOpen) continue
    consent.foundCmp = rule
    consent.prehideElements()
    return { isCosmetic: rule.isCosmetic, selectors: rule.prehideSelectors ?? [] }
  }
  return undefined
}

/** Runs in the page. */
async function isStillOpen(consent: Autoconsent): Promise<boolean> {
  const isOpen = await consent.foundCmp?.detectPopup().catch(() => false)
  return isOpen ?? false
}

/** The rules of autoconsent for the dialogs of consent managers. */
interface ConsentRules {
  /** CSS: if none of it matches a page, no rule applies there. */
  selectors(url: string): string[]
  /** Whether a frame at this address may be a dialog. */
  knowsFrame(url: string): boolean
  /** A script whose value is autoconsent with the rules for a URL; it does nothing until called. */
  script(url: string, isMainFrame: boolean): string
}

/** Read with the first page that needs them. */
const consentRules = once(async (): Promise<ConsentRules> => {
  const { resolve } = createRequire(import.meta.url)
  const source = await readFile(resolve('@duckduckgo/autoconsent'), 'utf8')
  const file = await readFile(resolve('@duckduckgo/autoconsent/rules/rules.json'), 'utf8')
  // The package makes this file for its own class, whose type of a rule this is.
  const { autoconsent } = JSON.parse(file) as { autoconsent: AutoConsentCMPRule[] }
  const rules = autoconsent.map((rule) => ({
    rule,
    pattern: rule.runContext?.urlPattern ? new RegExp(rule.runContext.urlPattern) : undefined,
    isForFrames: rule.runContext?.frame === true,
    selectors: rule.detectCmp.flatMap(selectorsIn),
  }))
  const rulesFor = (url: string) => rules.filter(({ pattern }) => !pattern || pattern.test(url))
  return {
    selectors: (url) => [...writtenInCode, ...rulesFor(url).flatMap(({ selectors }) => selectors)],
    knowsFrame: (url) =>
      frameAddress.test(url) ||
      rules.some(({ pattern, isForFrames }) => isForFrames && pattern?.test(url) === true),
    script(url, isMainFrame) {
      const wanted = rulesFor(url).filter(({ isForFrames }) => isMainFrame || isForFrames)
      return script(
        source,
        wanted.map(({ rule }) => rule),
      )
    },
  }
})

/** What the rules look for that autoconsent carries as code. */
const writtenInCode = [
  ...['#onetrust-banner-sdk', '#onetrust-pc-sdk', '#CybotCookiebotDialog', '#dtcookie-container', '#cmpbox'],
  ...['#truste-show-consent', '#truste-consent-track', '#_evidon_banner', '.klaro', '.unic', '.cmp-root'],
  ...[
    'tiktok-cookie-banner',
    '#cmp-app-container',
    '[id^=sp_message_container_]',
    '[class*=Pills__StyledPill]',
  ],
]

/** Frames of consent managers that have no rule with an address. */
const frameAddress = /[?&]message_id=|\.sp-prod\.net\/|\.privacymanager\.io\/|consent|cookie/i

/** For a selector that pierces shadow roots, the first part is enough to know that the rest may match. */
function selectorsIn(step: AutoConsentRuleStep): string[] {
  const own = [step.exists, step.visible]
    .map((selector) => (Array.isArray(selector) ? selector[0] : selector))
    .filter((selector) => selector !== undefined)
    .filter((selector) => !selector.startsWith('xpath/'))
  return [...own, ...(step.any ?? []).flatMap(selectorsIn)]
}

const settings = {
  // Disabled, it waits for calls; otherwise it would search on its own repeatedly.
  enabled: false,
  autoAction: null,
  isMainWorld: true,
  enablePrehide: true,
  heuristicMode: 'off',
  logs: {},
}

function script(source: string, rules: AutoConsentCMPRule[]): string {
  return `(() => {
    const module = { exports: {} }
    ${source}
    const consent = new module.exports.default(async () => {})
    consent.initialize(${JSON.stringify(settings)}, null)
    consent.parseDeclarativeRules({ autoconsent: ${JSON.stringify(rules)} })
    return consent
  })()`
}
