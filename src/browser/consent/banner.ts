import type { Frame, JSHandle } from 'playwright-core'
import { type ConsentWords, consentWords } from '../../content/consent-dialog.ts'
import { lazy } from '../../platform/functions.ts'
import { ignoreError, type PageScript, pageScript } from '../page-script.ts'
import { blockedMark } from '../serialise.ts'

export interface BannerFacts {
  hasReject: boolean
  hasAccept: boolean
  isBlocking: boolean
  isAlone: boolean
}

declare const words: ConsentWords
/** Alias, because the functions below are sent to the page together with it. */
const markOfBlocked = blockedMark

const functions = {
  ...{ findBanner, boxesInFront, elementsAt, parentOf, isInFront, coverage },
  ...{ isConsentFrame, isAboutCookies, shownText, asksForText, choicesIn, labelOf, staysOnPage },
  ...{ bannerFacts, isBlocked, isScrollLocked, clickIn, hideBoxes, markBoxes, backdrops },
  ...{ unlockScroll, markOfBlocked },
}

type Choice = 'reject' | 'accept'

export const bannerScripts = lazy(() => {
  const parts = { ...functions, words: { ...consentWords() } }
  return {
    facts: pageScript(() => bannerFacts(findBanner(words)), parts),
    click: pageScript((choice: Choice) => clickIn(findBanner(words), choice), parts),
    hide: pageScript(() => {
      const banner = findBanner(words)
      return banner ? hideBoxes([banner.box]) : false
    }, parts),
    box: pageScript(() => findBanner(words)?.box ?? null, parts),
    isBlocked: pageScript(() => isBlocked(boxesInFront()), parts),
    hideElements: pageScript((list: string) => hideBoxes([...document.querySelectorAll(list)]), parts),
    markElements: pageScript((list: string) => markBoxes([...document.querySelectorAll(list)]), parts),
  }
})

/** For a cookie dialog that matches no rule. Each function searches for the dialog again. */
export function createBannerHandler(frame: Frame) {
  return {
    facts: () => run(frame, bannerScripts().facts, undefined),
    click: (choice: Choice) => run(frame, bannerScripts().click, choice),
    hide: () => run(frame, bannerScripts().hide, undefined),
    /** Marked after the click, because many dialogs are only hidden. */
    box: () => frame.evaluateHandle<Element | null>(`(${bannerScripts().box.source})()`),
  }
}

export const isPageBlocked = (frame: Frame) => run(frame, bannerScripts().isBlocked, undefined)

export async function hideElements(frame: Frame, selectors: string[]): Promise<boolean> {
  if (selectors.length === 0) return false
  return run(frame, bannerScripts().hideElements, selectors.join(','))
}

export async function markHandled(box: JSHandle<Element | null>): Promise<void> {
  const mark = (element: Element | null, value: string) => element?.setAttribute('hidden', value)
  await box.evaluate(mark, blockedMark).catch(ignoreError)
}

/** Marks elements as blocked, so that they are not read. */
export async function markElements(frame: Frame, selectors: string[]): Promise<void> {
  if (selectors.length === 0) return
  await run(frame, bannerScripts().markElements, selectors.join(',')).catch(ignoreError)
}

function run<Argument, Result>(frame: Frame, script: PageScript<Argument, Result>, argument: Argument) {
  return frame.evaluate<Result>(`(${script.source})(${JSON.stringify(argument)})`)
}

interface Banner {
  box: HTMLElement
  reject: HTMLElement | undefined
  accept: HTMLElement | undefined
}

/** The outermost box that contains only the dialog, including its overlay. */
function findBanner(words: ConsentWords): Banner | undefined {
  for (const box of boxesInFront()) {
    if (isConsentFrame(box)) return { box, reject: undefined, accept: undefined }
    if (!isAboutCookies(box, words) || asksForText(box)) continue
    const { reject, accept } = choicesIn(box, words)
    if (reject || accept) return { box, reject, accept }
  }
  return undefined
}

function boxesInFront(): HTMLElement[] {
  const found = new Set<HTMLElement>()
  for (const xShare of [0.1, 0.5, 0.9]) {
    for (const yShare of [0.03, 0.25, 0.5, 0.75, 0.97]) {
      const [x, y] = [innerWidth * xShare, innerHeight * yShare]
      for (const element of elementsAt(document, x, y)) {
        for (let current: Element | null = element; current; current = parentOf(current)) {
          if (current instanceof HTMLElement && isInFront(current)) found.add(current)
        }
      }
    }
  }
  return [...found].sort((one, other) => coverage(other) - coverage(one))
}

/** `elementsFromPoint` stops at shadow roots, so these are searched separately. */
function elementsAt(root: Document | ShadowRoot, x: number, y: number): Element[] {
  return root.elementsFromPoint(x, y).flatMap((element) => {
    const { shadowRoot } = element
    return shadowRoot && shadowRoot !== root ? [...elementsAt(shadowRoot, x, y), element] : [element]
  })
}

function parentOf(element: Element): Element | null {
  if (element.parentElement) return element.parentElement
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? root.host : null
}

function isInFront(element: HTMLElement): boolean {
  if (element === document.body || element === document.documentElement) return false
  if (element.matches('dialog[open],[role=dialog],[role=alertdialog],[aria-modal=true]')) return true
  return ['fixed', 'sticky'].includes(getComputedStyle(element).position)
}

function isConsentFrame(box: HTMLElement): boolean {
  const frame = box instanceof HTMLIFrameElement ? box : box.querySelector('iframe')
  if (!frame?.checkVisibility() || coverage(frame) < coverage(box) / 2) return false
  const { id, className, name, title, src } = frame
  return /cookie|consent|gdpr/i.test(`${id} ${className} ${name} ${title} ${src}`)
}

function isAboutCookies(box: HTMLElement, words: ConsentWords): boolean {
  if (box.matches('main,article') || box.querySelector('main,article,[role=main]')) return false
  const text = shownText(box).toLowerCase()
  const mentions = (parts: string[]) => parts.some((part) => text.includes(part))
  return text.length < 10_000 && mentions(words.topics) && mentions(words.purposes)
}

function shownText(element: HTMLElement): string {
  // biome-ignore lint/performance/useDomNodeTextContent: hidden text does not count
  return element.innerText.trim()
}

function asksForText(box: HTMLElement): boolean {
  const fields = [...box.querySelectorAll<HTMLElement>('textarea,input:not([type]),input[type]')]
  const isText = (type: string) => !/^(button|submit|reset|checkbox|radio|hidden|image)$/.test(type)
  return fields.some((field) => field.checkVisibility() && isText(field.getAttribute('type') ?? ''))
}

function choicesIn(box: HTMLElement, words: ConsentWords) {
  const clickable = 'button,a,[role=button],input[type=button],input[type=submit],[onclick]'
  const buttons = [...box.querySelectorAll<HTMLElement>(clickable)]
    .filter((button) => button.checkVisibility() && staysOnPage(button))
    .map((button) => ({ button, label: labelOf(button) }))
    .filter(({ label }) => label.length < 60 && !words.excludes.some((word) => label.includes(word)))
  const isReject = (label: string) => words.rejects.some((word) => label.includes(word))
  const isAccept = (label: string) => label === 'ok' || words.accepts.some((word) => label.includes(word))
  return {
    reject: buttons.find(({ label }) => isReject(label))?.button,
    accept: buttons.find(({ label }) => !isReject(label) && isAccept(label))?.button,
  }
}

function labelOf(button: HTMLElement): string {
  const value = button instanceof HTMLInputElement ? button.value : shownText(button)
  return (value || button.ariaLabel || button.title)
    .toLowerCase()
    .replaceAll('’', "'")
    .replace(/\s+/g, ' ')
    .trim()
}

function staysOnPage(button: HTMLElement): boolean {
  if (!(button instanceof HTMLAnchorElement)) return true
  const href = button.getAttribute('href') ?? '#'
  return href.startsWith('#') || href.startsWith('javascript:') || href === ''
}

function bannerFacts(banner: Banner | undefined): BannerFacts | null {
  if (!banner) return null
  const otherTextLength = shownText(document.body).length - shownText(banner.box).length
  return {
    hasReject: banner.reject !== undefined,
    hasAccept: banner.accept !== undefined,
    isBlocking: isBlocked([banner.box]),
    isAlone: otherTextLength < 200,
  }
}

function isBlocked(boxes: HTMLElement[]): boolean {
  return boxes.some((box) => coverage(box) > 0.5) || (boxes.length > 0 && isScrollLocked())
}

function isScrollLocked(): boolean {
  return [document.documentElement, document.body].some((element) => {
    const { overflowY, position } = getComputedStyle(element)
    return overflowY === 'hidden' || overflowY === 'clip' || position === 'fixed'
  })
}

function coverage(element: Element): number {
  const { left, right, top, bottom } = element.getBoundingClientRect()
  const width = Math.max(0, Math.min(right, innerWidth) - Math.max(left, 0))
  const height = Math.max(0, Math.min(bottom, innerHeight) - Math.max(top, 0))
  return (width * height) / (innerWidth * innerHeight)
}

function clickIn(banner: Banner | undefined, choice: 'reject' | 'accept'): boolean {
  const button = banner?.[choice]
  // Delayed, because a click that opens a new document would otherwise lose this result.
  if (button) setTimeout(() => button.click())
  return button !== undefined
}

function markBoxes(boxes: Element[]): void {
  const containsContent = (box: Element) =>
    box.matches('html,body') || box.querySelector('main,article,h1') !== null
  for (const box of boxes) if (!containsContent(box)) box.setAttribute('hidden', markOfBlocked)
}

function hideBoxes(boxes: Element[]): boolean {
  const visible = boxes.filter((box) => box instanceof HTMLElement && box.checkVisibility())
  for (const box of [...visible, ...backdrops()]) {
    if (!(box instanceof HTMLElement)) continue
    if (box instanceof HTMLDialogElement) box.close()
    box.style.setProperty('display', 'none', 'important')
    box.setAttribute('hidden', markOfBlocked)
  }
  if (visible.length > 0) unlockScroll()
  return visible.length > 0
}

function backdrops(): HTMLElement[] {
  const media = 'img,video,canvas,iframe,svg,object'
  return boxesInFront().filter(
    (box) => coverage(box) > 0.9 && shownText(box) === '' && !box.querySelector(media),
  )
}

function unlockScroll(): void {
  if (!isScrollLocked()) return
  for (const element of [document.documentElement, document.body]) {
    element.style.setProperty('overflow', 'visible', 'important')
    if (getComputedStyle(element).position === 'fixed')
      element.style.setProperty('position', 'static', 'important')
  }
  for (const element of document.querySelectorAll('body > [inert]')) element.removeAttribute('inert')
}
