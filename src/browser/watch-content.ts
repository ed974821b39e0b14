import type { Page } from 'playwright-core'
import { loadingWords, placeholderNames } from '../content/loading-words.ts'
import { evaluateApart } from './evaluate-apart.ts'

/** What a document shows, and whether that may still change. */
export interface ContentFacts {
  /** For how long nothing has changed that counts. */
  stillMs: number
  /** Scripts or frames could change it. */
  canChange: boolean
  /** The document and all that it was sent with has been loaded. */
  isLoaded: boolean
  /** Scripts of the page have set timers; whether one of them is still to come cannot be known. */
  hasTimers: boolean
  /** How much there is to read, menus and placeholders left out; counted up to a bound. */
  text: number
  /** Fields, buttons and pictures. */
  things: number
  /** Shapes of content that is still to come. */
  hasSkeletons: boolean
  /** Something turns, or says that it is loading. */
  isLoading: boolean
}

export interface Watching {
  /** As soon as the content has stood still for so long; */
  stillMs: number
  /** or has changed since the last look, and then stood still for so long; */
  calmMs: number
  /** or after this time, */
  mostMs: number
  /** but not before this one. */
  leastMs: number
}

/** Looks at the document that a tab shows. Nothing of it can be seen by scripts of the page. */
export function watchContent(page: Page, watching: Watching): Promise<ContentFacts> {
  return evaluateApart(page, look, { ...watching, loadingWords, placeholderNames })
}

/** Runs in the page. */
function look(order: Watching & { loadingWords: string; placeholderNames: string }): Promise<ContentFacts> {
  /** As much text as a page needs to be no shell; more is not counted. */
  const enoughText = 400
  const mostNodes = 30_000
  const mostMarks = 200
  /** An element may change so often before it has to grow to be noticed: clocks and tickers never end. */
  const mostRestless = 8
  const code = new Set(['script', 'style', 'link', 'meta', 'title', 'template', 'noscript', 'base', 'head'])
  const around = 'nav,aside,body>header,body>footer,[role=navigation],[role=banner],[role=contentinfo]'
  const things = 'input:not([type=hidden]),select,textarea,button,img,video,audio,canvas,object,embed'
  const marks =
    '[aria-busy=true],[role=progressbar],[class*=skeleton i],[class*=shimmer i],[class*=spinner i],[class*=load i],[id*=load i],[id*=spinner i]'
  const skeleton = /skeleton|shimmer/i
  const placeholder = new RegExp(order.placeholderNames, 'i')
  const notice = new RegExp(`^[^\\p{L}]{0,3}(?:${order.loadingWords})`, 'iu')

  type Shown = Pick<ContentFacts, 'text' | 'things' | 'hasSkeletons' | 'isLoading'>
  interface Watch {
    changedAt: number
    /** Changes up to here have been told. */
    toldAt: number
    /** Timers of ours: their numbers are drawn from the same row as those of the page. */
    ownTimers: number
    shown: Shown | undefined
    follow(root: Node): void
  }
  // This world is ours alone and lives as long as the document.
  const world = globalThis as { watch?: Watch }
  world.watch ??= startWatch()
  const watch = world.watch
  const began = performance.now()

  return new Promise((resolve) => {
    const wait = () => {
      const now = performance.now()
      const still = now - watch.changedAt
      const needed = watch.changedAt > watch.toldAt ? Math.min(order.calmMs, order.stillMs) : order.stillMs
      const left = Math.max(Math.min(needed - still, began + order.mostMs - now), began + order.leastMs - now)
      if (left > 0 && canChange()) {
        watch.ownTimers += 1
        setTimeout(wait, left)
      } else resolve(facts())
    }
    wait()
  })

  function canChange(): boolean {
    if (document.readyState === 'loading') return true
    const running = [...document.querySelectorAll('script,iframe,frame,[onload]')]
    const isData = (element: Element) =>
      element.localName === 'script' && /json|template|html|x-/i.test(element.getAttribute('type') ?? '')
    return running.some((element) => !isData(element))
  }

  function facts(): ContentFacts {
    const now = performance.now()
    watch.toldAt = now
    watch.ownTimers += 1
    const number = setTimeout(() => {}) as unknown as number
    clearTimeout(number)
    watch.shown ??= readShown()
    return {
      stillMs: now - watch.changedAt,
      canChange: canChange(),
      isLoaded: document.readyState === 'complete',
      hasTimers: number > watch.ownTimers,
      ...watch.shown,
    }
  }

  function readShown(): Shown {
    const found = { text: 0, things: 0, hasSkeletons: false, isLoading: false }
    const placeholders = new Set<Element>()
    for (const element of [...document.querySelectorAll(marks)].slice(0, mostMarks)) {
      const names = `${element.getAttribute('class') ?? ''} ${element.id}`
      const isBusy = element.matches('[aria-busy=true],[role=progressbar]')
      if (!isBusy && !placeholder.test(names)) continue
      if (element.matches('html,body') || !element.checkVisibility()) continue
      placeholders.add(element)
      if (skeleton.test(names) || element.matches('[aria-busy=true]')) found.hasSkeletons = true
      else found.isLoading = true
    }
    let nodes = 0
    const count = (text: string) => {
      if (isNotice(text)) found.isLoading = true
      else found.text += text.trim().length
    }
    const read = (root: Node) => {
      watch.follow(root)
      const accept = (node: Node) => {
        if (!isElement(node)) return NodeFilter.FILTER_ACCEPT
        const isLeftOut = code.has(node.localName) || placeholders.has(node) || node.matches(around)
        return isLeftOut || !node.checkVisibility() ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_ACCEPT
      }
      const walker = document.createTreeWalker(root, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT, accept)
      for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        nodes += 1
        if (found.text >= enoughText || nodes > mostNodes) return
        if (!isElement(node)) {
          count(node.nodeValue ?? '')
          continue
        }
        if (node.matches(things)) found.things += 1
        if (node.shadowRoot) read(node.shadowRoot)
        const framed = framedIn(node)
        if (framed) read(framed)
      }
    }
    if (document.body) read(document.body)
    if (nodes > mostNodes) found.text = enoughText
    // A page with enough to read is not read to its end, and a notice may stand there.
    found.isLoading ||= hasNotice()
    return found
  }

  function hasNotice(): boolean {
    if (!document.body) return false
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    for (let left = mostNodes; left > 0; left -= 1) {
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

  /** Elements of frames are made by another window. */
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

  function startWatch(): Watch {
    const followed = new WeakSet<Node>()
    const sizes = new WeakMap<Node, { now: number; most: number; changes: number }>()
    const observer = new MutationObserver((records) => {
      made.shown = undefined
      if (records.filter(isNoticed).length > 0) made.changedAt = performance.now()
    })
    /** Counted as it comes: asking a long list for its length with each line of it would take for ever. */
    const isNoticed = ({ type, target, addedNodes, removedNodes, oldValue }: MutationRecord): boolean => {
      // What attributes hide or show is looked at, but a movement is no content.
      if (type === 'attributes') return false
      const isText = type === 'characterData'
      const added = isText ? (target.nodeValue?.length ?? 0) : weight(addedNodes)
      const removed = isText ? (oldValue?.length ?? 0) : weight(removedNodes)
      if (added + removed === 0 || code.has((target as Element).localName)) return false
      const size = sizes.get(target) ?? { now: 0, most: 0, changes: 0 }
      sizes.set(target, size)
      size.now += added - removed
      size.changes += 1
      const isLonger = size.now > size.most
      size.most = Math.max(size.most, size.now)
      return isLonger || size.changes <= mostRestless
    }
    const weight = (nodes: NodeList): number => {
      let sum = 0
      for (const node of nodes) {
        if (isElement(node)) sum += code.has(node.localName) ? 0 : 1 + (node.textContent?.length ?? 0)
        else if (node.nodeType === Node.TEXT_NODE) sum += node.nodeValue?.length ?? 0
      }
      return sum
    }
    const made: Watch = {
      changedAt: performance.now(),
      toldAt: performance.now(),
      ownTimers: 0,
      shown: undefined,
      follow(root) {
        const isInside = document.contains(root) && root !== document.documentElement
        if (followed.has(root) || isInside) return
        followed.add(root)
        observer.observe(root, {
          ...{ childList: true, subtree: true, characterData: true, characterDataOldValue: true },
          attributeFilter: ['class', 'style', 'hidden', 'aria-busy'],
        })
      },
    }
    if (document.documentElement) made.follow(document.documentElement)
    return made
  }
}
