import type { Page } from 'playwright-core'
import { loadingWords, placeholderNames } from '../content/loading-words.ts'
import { evaluateInIsolatedWorld, pageScript } from './page-script.ts'

export interface ContentFacts extends ShownContent {
  stillMs: number
  canChange: boolean
  isLoaded: boolean
  /** Scripts of the page have set timers; a pending timer is not detectable. */
  hasTimers: boolean
}

/** Resolves earlier if the content has changed since the last check, and was then stable for `calmMs`. */
type WatchOptions = Record<'stillMs' | 'calmMs' | 'maxMs' | 'minMs', number>

export function watchContent(page: Page, options: WatchOptions): Promise<ContentFacts> {
  return evaluateInIsolatedWorld(page, inspectContent, options)
}

/** After more changes, an element only counts if it grows, because clocks and tickers never stop. */
const maxRestless = 8
/** A page with this text is not an empty shell; further text is not counted. */
const enoughText = 400
const maxNodes = 30_000
const maxMarkers = 200
const code = new Set('script style link meta title template noscript base head'.split(' '))
const around = 'nav,aside,body>header,body>footer,[role=navigation],[role=banner],[role=contentinfo]'
const controls = 'input:not([type=hidden]),select,textarea,button,img,video,audio,canvas,object,embed'
const marks =
  '[aria-busy=true],[role=progressbar],[class*=skeleton i],[class*=shimmer i],[class*=spinner i],[class*=load i],[id*=load i],[id*=spinner i]'
const skeleton = /skeleton|shimmer/i
const placeholder = new RegExp(placeholderNames, 'i')
const notice = new RegExp(`^[^\\p{L}]{0,3}(?:${loadingWords})`, 'iu')

export const inspectContent = pageScript(inspect, {
  ...{ msLeft, canChange, factsOf, startWatch, isNoticed, weight, maxRestless },
  ...{ readShown, readPlaceholders, readIn, isLeftOut, count, hasNotice, isNotice, isElement, framedIn },
  ...{ enoughText, maxNodes, maxMarkers, code, around, controls, marks, skeleton, placeholder, notice },
})

/** Runs in the page. */
function inspect(watching: WatchOptions): Promise<ContentFacts> {
  // A symbol, because a plain name could resolve to an element with that id.
  const world = globalThis as { [name: symbol]: Watch }
  const name = Symbol.for('watch')
  world[name] ??= startWatch()
  const watch = world[name]
  const began = performance.now()
  return new Promise((resolve) => {
    const wait = () => {
      const remaining = msLeft(watching, watch, began)
      if (remaining > 0 && canChange()) {
        watch.ownTimers += 1
        setTimeout(wait, remaining)
      } else resolve(factsOf(watch))
    }
    wait()
  })
}

function msLeft({ stillMs, calmMs, maxMs, minMs }: WatchOptions, watch: Watch, began: number): number {
  const now = performance.now()
  const stableMs = now - watch.changedAt
  const requiredMs = watch.changedAt > watch.toldAt ? Math.min(calmMs, stillMs) : stillMs
  return Math.max(Math.min(requiredMs - stableMs, began + maxMs - now), began + minMs - now)
}

function canChange(): boolean {
  if (document.readyState === 'loading') return true
  const dynamicElements = [...document.querySelectorAll('script,iframe,frame,[onload]')]
  const isData = (element: Element) =>
    element.localName === 'script' && /json|template|html|x-/i.test(element.getAttribute('type') ?? '')
  return dynamicElements.some((element) => !isData(element))
}

function factsOf(watch: Watch): ContentFacts {
  const now = performance.now()
  watch.toldAt = now
  watch.ownTimers += 1
  const timerId = setTimeout(() => {}) as unknown as number
  clearTimeout(timerId)
  watch.shown ??= readShown(watch.follow)
  return {
    stillMs: now - watch.changedAt,
    canChange: canChange(),
    isLoaded: document.readyState === 'complete',
    hasTimers: timerId > watch.ownTimers,
    ...watch.shown,
  }
}

interface Watch {
  changedAt: number
  toldAt: number
  /** Timers of this script: their ids come from the same sequence as those of the page. */
  ownTimers: number
  shown: ShownContent | undefined
  follow(root: Node): void
}

type Sizes = WeakMap<Node, { now: number; max: number; changes: number }>

function startWatch(): Watch {
  const observedRoots = new WeakSet<Node>()
  const sizes: Sizes = new WeakMap()
  const observer = new MutationObserver((records) => {
    watch.shown = undefined
    if (records.filter((record) => isNoticed(sizes, record)).length > 0) watch.changedAt = performance.now()
  })
  const watch: Watch = {
    changedAt: performance.now(),
    toldAt: performance.now(),
    ownTimers: 0,
    shown: undefined,
    follow(root) {
      const isObserved = document.contains(root) && root !== document.documentElement
      if (observedRoots.has(root) || isObserved) return
      observedRoots.add(root)
      observer.observe(root, {
        ...{ childList: true, subtree: true, characterData: true, characterDataOldValue: true },
        attributeFilter: ['class', 'style', 'hidden', 'aria-busy'],
      })
    },
  }
  if (document.documentElement) watch.follow(document.documentElement)
  return watch
}

/** Sizes are updated incrementally: measuring a long list again for each new entry would take quadratic time. */
function isNoticed(
  sizes: Sizes,
  { type, target, addedNodes, removedNodes, oldValue }: MutationRecord,
): boolean {
  if (type === 'attributes') return false
  const isText = type === 'characterData'
  const added = isText ? (target.nodeValue?.length ?? 0) : weight(addedNodes)
  const removed = isText ? (oldValue?.length ?? 0) : weight(removedNodes)
  if (added + removed === 0 || code.has((target as Element).localName)) return false
  const size = sizes.get(target) ?? { now: 0, max: 0, changes: 0 }
  sizes.set(target, size)
  size.now += added - removed
  size.changes += 1
  const isLargest = size.now > size.max
  size.max = Math.max(size.max, size.now)
  return isLargest || size.changes <= maxRestless
}

function weight(nodes: NodeList): number {
  let sum = 0
  for (const node of nodes) {
    if (isElement(node)) sum += code.has(node.localName) ? 0 : 1 + (node.textContent?.length ?? 0)
    else if (node.nodeType === Node.TEXT_NODE) sum += node.nodeValue?.length ?? 0
  }
  return sum
}

interface ShownContent {
  /** Readable text without menus and placeholders, counted up to a limit. */
  text: number
  controls: number
  hasSkeletons: boolean
  isLoading: boolean
}

interface ReadState {
  shown: ShownContent
  nodes: number
  placeholders: Set<Element>
  follow(root: Node): void
}

function readShown(follow: (root: Node) => void): ShownContent {
  const shown = { text: 0, controls: 0, hasSkeletons: false, isLoading: false }
  const reading = { shown, nodes: 0, placeholders: new Set<Element>(), follow }
  readPlaceholders(reading)
  if (document.body) readIn(document.body, reading)
  if (reading.nodes > maxNodes) shown.text = enoughText
  shown.isLoading ||= hasNotice()
  return shown
}

function readPlaceholders({ shown, placeholders }: ReadState): void {
  for (const element of [...document.querySelectorAll(marks)].slice(0, maxMarkers)) {
    const names = `${element.getAttribute('class') ?? ''} ${element.id}`
    const isBusy = element.matches('[aria-busy=true],[role=progressbar]')
    if (!isBusy && !placeholder.test(names)) continue
    if (element.matches('html,body') || !element.checkVisibility()) continue
    placeholders.add(element)
    if (skeleton.test(names) || element.matches('[aria-busy=true]')) shown.hasSkeletons = true
    else shown.isLoading = true
  }
}

function readIn(root: Node, reading: ReadState): void {
  const { shown, follow } = reading
  follow(root)
  const accept = (node: Node) =>
    isElement(node) && isLeftOut(node, reading) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT
  const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, accept)
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    reading.nodes += 1
    if (shown.text >= enoughText || reading.nodes > maxNodes) return
    if (!isElement(node)) {
      count(node.nodeValue ?? '', shown)
      continue
    }
    if (node.matches(controls)) shown.controls += 1
    if (node.shadowRoot) readIn(node.shadowRoot, reading)
    const frameBody = framedIn(node)
    if (frameBody) readIn(frameBody, reading)
  }
}

function isLeftOut(element: Element, { placeholders }: ReadState): boolean {
  if (code.has(element.localName) || placeholders.has(element) || element.matches(around)) return true
  return !element.checkVisibility()
}

function count(text: string, shown: ShownContent): void {
  if (isNotice(text)) shown.isLoading = true
  else shown.text += text.trim().length
}

function hasNotice(): boolean {
  if (!document.body) return false
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  for (let remaining = maxNodes; remaining > 0; remaining -= 1) {
    const node = walker.nextNode()
    if (!node) return false
    const parent = node.parentElement
    if (!isNotice(node.nodeValue ?? '') || !parent || parent.closest(around)) continue
    if (!code.has(parent.localName) && parent.checkVisibility()) return true
  }
  return false
}

function isNotice(text: string): boolean {
  if (text.length > 500) return false
  const trimmed = text.trim()
  return trimmed.length > 0 && trimmed.length <= 120 && notice.test(trimmed)
}

/** `instanceof` fails for elements of frames, which belong to another window. */
function isElement(node: Node): node is Element {
  return node.nodeType === Node.ELEMENT_NODE
}

function framedIn(element: Element): Node | null {
  if (element.localName !== 'iframe' && element.localName !== 'frame') return null
  try {
    return (element as HTMLIFrameElement).contentDocument?.body ?? null
  } catch {
    return null
  }
}
