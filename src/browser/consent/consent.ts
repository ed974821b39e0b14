import { setTimeout as delay } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import type { Log } from '../../base/log.ts'
import { hideElements, markAnswered, markElements, pageIsBlocked, unknownBanner } from './banner.ts'
import { type KnownDialog, knownDialog, mayBeKnown } from './known.ts'
import { type ConsentRules, consentRules } from './rules.ts'

export type ConsentOutcome = 'none' | 'rejected' | 'accepted' | 'hidden' | 'failed'

export interface ConsentOptions {
  signal: AbortSignal
  maxMs: number
  /** Resolves when the page is stable: until then, wait for a dialog. Without it, wait only a moment. */
  settled?: Promise<unknown>
  log?: Log
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
const leastForHiding = 1000

async function giveUp(search: Search, { signal, maxMs }: ConsentOptions): Promise<ConsentOutcome> {
  if (!search.hasDialog) return 'none'
  if (signal.aborted) return 'failed'
  const late = delay(Math.max(leastForHiding, maxMs * 0.1), 'failed' as const)
  return Promise.race([hide(search).catch(() => 'failed' as const), late])
}

async function hide({ page, parts }: Search): Promise<'hidden' | 'failed'> {
  const main = page.mainFrame()
  const isHidden = (await hideElements(main, parts)) || (await unknownBanner(main).hide())
  return isHidden ? 'hidden' : 'failed'
}

/** Interval between two checks of a loading page; longer if a check is slow, so that the page can continue. */
const pauseAfter = (lookMs: number) => Math.max(200, 4 * lookMs)
/** One dialog may lead to another, up to this many. */
const mostAnswers = 3

async function answerDialogs(search: Search, { settled, log }: ConsentOptions): Promise<ConsentOutcome> {
  const rest = (settled ?? delay(300)).then(
    () => true,
    () => true,
  )
  let outcome: ConsentOutcome = 'none'
  let isLastLook = false
  for (let answers = 0; answers < mostAnswers && !search.isOver; ) {
    const began = performance.now()
    const answered = await answerOne(search).catch((cause) => {
      // Usually the document was replaced during the check; the next check sees the new one.
      log?.debug({ cause, url: search.page.url() }, 'a page could not be checked for a cookie dialog')
      return undefined
    })
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

const mostFrames = 5

async function dialogInFrame(page: Page, rules: ConsentRules): Promise<KnownDialog | undefined> {
  const frames = page.frames().filter((frame) => frame.parentFrame() && rules.knowsFrame(frame.url()))
  for (const frame of frames.slice(0, mostFrames)) {
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
  const banner = unknownBanner(search.page.mainFrame())
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
