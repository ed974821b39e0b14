import type { Page } from 'playwright-core'
import { evaluateApart } from './evaluate-apart.ts'
import { pageScript } from './page-script.ts'
import { changeParts, type Watch } from './watch-content-changes.ts'
import { type ShownContent, shownParts } from './watch-content-shown.ts'

/** What a document shows, and whether that may still change. */
export interface ContentFacts extends ShownContent {
  /** Time since the last relevant change. */
  stillMs: number
  /** Scripts or frames could change it. */
  canChange: boolean
  /** The document and its initial resources are loaded. */
  isLoaded: boolean
  /** Scripts of the page have set timers; whether one is still pending is unknown. */
  hasTimers: boolean
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

/** Inspects the document of a tab. Scripts of the page cannot notice it. */
export function watchContent(page: Page, watching: Watching): Promise<ContentFacts> {
  return evaluateApart(page, lookAtContent, watching)
}

export const lookAtContent = pageScript(look, { msLeft, canChange, factsOf }, shownParts, changeParts)

declare const startWatch: typeof import('./watch-content-changes.ts').startWatch
declare const readShown: typeof import('./watch-content-shown.ts').readShown

/** Runs in the page. */
function look(watching: Watching): Promise<ContentFacts> {
  // Only our code uses this world, which lives as long as the document. A symbol, because a plain name could resolve to an element with that id.
  const world = globalThis as { [name: symbol]: Watch }
  const name = Symbol.for('watch')
  world[name] ??= startWatch()
  const watch = world[name]
  const began = performance.now()
  return new Promise((resolve) => {
    const wait = () => {
      const left = msLeft(watching, watch, began)
      if (left > 0 && canChange()) {
        watch.ownTimers += 1
        setTimeout(wait, left)
      } else resolve(factsOf(watch))
    }
    wait()
  })
}

function msLeft({ stillMs, calmMs, mostMs, leastMs }: Watching, watch: Watch, began: number): number {
  const now = performance.now()
  const still = now - watch.changedAt
  const needed = watch.changedAt > watch.toldAt ? Math.min(calmMs, stillMs) : stillMs
  return Math.max(Math.min(needed - still, began + mostMs - now), began + leastMs - now)
}

function canChange(): boolean {
  if (document.readyState === 'loading') return true
  const running = [...document.querySelectorAll('script,iframe,frame,[onload]')]
  const isData = (element: Element) =>
    element.localName === 'script' && /json|template|html|x-/i.test(element.getAttribute('type') ?? '')
  return running.some((element) => !isData(element))
}

function factsOf(watch: Watch): ContentFacts {
  const now = performance.now()
  watch.toldAt = now
  watch.ownTimers += 1
  const number = setTimeout(() => {}) as unknown as number
  clearTimeout(number)
  watch.shown ??= readShown(watch.follow)
  return {
    stillMs: now - watch.changedAt,
    canChange: canChange(),
    isLoaded: document.readyState === 'complete',
    hasTimers: number > watch.ownTimers,
    ...watch.shown,
  }
}
