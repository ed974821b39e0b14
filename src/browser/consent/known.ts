import type { Frame, JSHandle } from 'playwright-core'
import type { ConsentRules } from './rules.ts'

export interface KnownDialog {
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
export function mayBeKnown(frame: Frame, rules: ConsentRules): Promise<boolean> {
  return frame.evaluate<boolean>(`(${hasOneOf})(${JSON.stringify(rules.selectors(frame.url()))})`)
}

/** The dialog of a consent manager that is open in a frame. */
export async function knownDialog(frame: Frame, rules: ConsentRules): Promise<KnownDialog | undefined> {
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
