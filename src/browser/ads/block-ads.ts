import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Frame, JSHandle, Page, Request, Route } from 'playwright-core'
import { listener } from '../../platform/functions.ts'
import { blockedMark } from '../serialise.ts'
import type { AdBlockerOptions, AdEngine, DocumentNames, Judged, RequestDecision } from './engine.ts'

export interface AdBlocker {
  /** Blocks ad and tracker requests of every page of the context, and hides elements that the lists classify as ads. */
  attach(context: BrowserContext): Promise<Blocking>
  /** Why less was blocked than expected; empty if everything worked. */
  warning(): string | undefined
  /** Resolves when the lists that the first `attach` loads are in use, or known to be unusable. */
  whenComplete(): Promise<void>
}

/** What is blocked in one context. */
interface Blocking {
  /** Blocked URLs, up to a limit. */
  blockedUrls(): string[]
  warning(): string | undefined
}

/** Where Debian's package webext-ublock-origin-chromium puts its lists. */
export const blockListFolders = [
  '/usr/share/chromium/extensions/ublock-origin/assets/ublock',
  '/usr/share/chromium/extensions/ublock-origin/assets/thirdparties/easylist',
]

/** Costs nothing before the first `attach`, which loads the engine. */
export async function createAdBlocker(options: AdBlockerOptions): Promise<AdBlocker> {
  let loading: Promise<AdEngine | undefined> | undefined
  let engine: AdEngine | undefined
  let failures = 0
  const onFailure = (cause: unknown) => {
    failures += 1
    // A failure repeats for every request, so it is logged once.
    if (failures === 1) options.log.warn({ cause }, 'ad blocking failed; the request is allowed')
  }
  const load = async () => {
    try {
      const { loadAdEngine } = await import('./engine.ts')
      engine = await loadAdEngine(options)
    } catch (cause) {
      onFailure(cause)
    }
    return engine
  }
  const warning = () =>
    engine?.warning() ??
    (failures === 0 ? undefined : `Ad blocking failed ${failures} times; ads may have been loaded.`)
  return {
    async attach(context) {
      loading ??= load()
      const loaded = await loading
      const blocked = new Set<string>()
      if (loaded) await block(context, loaded, { blocked, onFailure })
      return { blockedUrls: () => [...blocked], warning }
    },
    warning,
    whenComplete: async () => (await loading)?.whenComplete(),
  }
}

/** Maximum number of blocked URLs that are remembered per page. */
const maxBlocked = 2000

async function block(
  context: BrowserContext,
  engine: AdEngine,
  { blocked, onFailure }: { blocked: Set<string>; onFailure: (cause: unknown) => void },
) {
  const hide = listener((frame: Frame) => hideAds(frame, engine, onFailure), onFailure)
  const follow = (page: Page) => page.on('framenavigated', hide)
  context.on('page', listener(follow, onFailure))
  for (const page of context.pages()) follow(page)
  await context.route('**/*', async (route) => {
    try {
      const judgement = judged(route.request(), engine, onFailure)
      if (judgement !== 'pass' && blocked.size < maxBlocked) blocked.add(route.request().url())
      await answer(route, judgement)
    } catch {
      // The page was closed while its request was handled, so the answer is not needed.
    }
  })
}

function judged(request: Request, engine: AdEngine, onFailure: (cause: unknown) => void): RequestDecision {
  try {
    const source = sourceOf(request)
    return source ? engine.judge({ url: request.url(), ...source }) : 'pass'
  } catch (cause) {
    onFailure(cause)
    return 'pass'
  }
}

/** The requesting document and the resource; undefined for the document of a page itself, which is never blocked. */
function sourceOf(request: Request): Pick<Judged, 'sourceUrl' | 'type'> | undefined {
  const frame = frameOf(request)
  if (!frame) return undefined
  const type = request.resourceType()
  if (!request.isNavigationRequest()) return { sourceUrl: documentUrl(frame), type: typeOf(type) }
  const parent = frame.parentFrame()
  return parent ? { sourceUrl: documentUrl(parent), type: 'sub_frame' } : undefined
}

function frameOf(request: Request): Frame | undefined {
  try {
    return request.frame()
  } catch {
    // A service worker has no frame, and an opening page has none yet.
    return undefined
  }
}

/** A frame without its own URL belongs to the document that created it. */
function documentUrl(frame: Frame): string {
  for (let at: Frame | null = frame; at; at = at.parentFrame()) {
    if (at.url().startsWith('http')) return at.url()
  }
  return ''
}

const types = ['stylesheet', 'image', 'media', 'font', 'script', 'xhr', 'fetch', 'ping', 'websocket'] as const

const typeOf = (name: string): Judged['type'] => types.find((type) => type === name) ?? 'other'

async function answer(route: Route, judgement: RequestDecision): Promise<void> {
  if (judgement === 'pass') return route.fallback()
  // A frame that failed would show Chromium's own error page in the middle of the document.
  const isFrame = route.request().isNavigationRequest()
  if (judgement === 'block' && !isFrame) return route.abort('blockedbyclient')
  const contentType = isFrame || judgement === 'block' ? 'text/html' : judgement.empty
  return route.fulfill({ contentType, headers: { 'access-control-allow-origin': '*' }, body: '' })
}

/** How often a document is checked for new class names and ids; later ads stay visible. */
const maxRounds = 8
/** Maximum number of documents of one page, including frames and later navigations, whose ads are hidden. */
const maxDocuments = 40

/** State in a page while its ads are hidden; it lives as long as its document. */
interface Hiding {
  sheet: CSSStyleSheet
  /** Names already reported, each with a prefix for its kind. */
  known: Set<string>
}

const hidings = new WeakMap<Frame, JSHandle<Hiding>>()
const documents = new WeakMap<Page, number>()

/** Hides the ads of a new document of a frame, for as long as the document lives. */
function hideAds(frame: Frame, engine: AdEngine, onFailure: (cause: unknown) => void): void {
  const url = frame.url()
  if (!url.startsWith('http')) return
  const stylesFor = (names?: DocumentNames) => {
    try {
      return engine.styles(url, names)
    } catch (cause) {
      onFailure(cause)
      return ''
    }
  }
  follow(frame, stylesFor).catch(() => {
    // The document or its page was closed.
  })
}

async function follow(frame: Frame, stylesFor: (names?: DocumentNames) => string): Promise<void> {
  const before = documents.get(frame.page()) ?? 0
  // A navigation within one document is reported like a new document.
  const isSameDocument = () => hidings.get(frame)?.evaluate(() => true)
  if (before >= maxDocuments || (await isSameDocument()?.catch(() => false))) return
  documents.set(frame.page(), before + 1)
  const hiding = await frame.evaluateHandle(() => ({ sheet: new CSSStyleSheet(), known: new Set<string>() }))
  hidings.set(frame, hiding)
  await hiding.evaluate(hide, { css: stylesFor(), mark: blockedMark })
  for (let round = 0; round < maxRounds; ) {
    const names = await hiding.evaluate(nextNames)
    // Elements are added in batches, so a short wait catches most of them. A timer inside the page would count as one of the page's own.
    if (names === '') await sleep(crowding)
    else {
      await hiding.evaluate(hide, { css: stylesFor(sorted(names.split('\n'))), mark: blockedMark })
      round += 1
    }
  }
}

function sorted(names: string[]): DocumentNames {
  const withSign = (sign: string) =>
    names.filter((name) => name.startsWith(sign)).map((name) => name.slice(sign.length))
  return { classes: withSign('.'), ids: withSign('#'), hrefs: withSign('@') }
}

/** Runs in the page. */
function hide({ sheet }: Hiding, { css, mark }: { css: string; mark: string }): void {
  // Not an element: a style sheet of this kind is not part of the markup, and no policy of the page forbids it.
  sheet.replaceSync([...sheet.cssRules].map((rule) => rule.cssText).join('\n') + css)
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet)
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSStyleRule) || rule.style.display !== 'none') continue
    for (const element of document.querySelectorAll(rule.selectorText)) {
      // Readers of the markup do not see style sheets; the attribute tells them.
      if (element !== document.body && element !== document.documentElement)
        element.setAttribute('hidden', mark)
    }
  }
}

const crowding = 200

/** Runs in the page: names that have not been reported, one per line; none when the document has changed instead. */
async function nextNames({ known }: Hiding): Promise<string> {
  const maxElements = 20_000
  const longestName = 500
  const most = 500_000
  const collect = () => {
    // Joined manually: page scripts may have replaced array functions, which must not make the result longer.
    let fresh = ''
    const add = (name: string) => {
      if (name.length > longestName || fresh.length > most) return
      if (known.has(name) || name.includes('\n')) return
      known.add(name)
      fresh += fresh === '' ? name : `\n${name}`
    }
    const elements = document.querySelectorAll('[class],[id],a[href]')
    for (const element of Array.from(elements).slice(0, maxElements)) {
      for (const name of element.classList) add(`.${name}`)
      if (element.id) add(`#${element.id}`)
      const href = element.getAttribute('href')
      if (href) add(`@${href}`)
    }
    return fresh
  }
  const changed = () =>
    new Promise<void>((resolve) => {
      const observer = new MutationObserver(() => {
        observer.disconnect()
        resolve()
      })
      observer.observe(document, { childList: true, subtree: true })
    })
  if (document.readyState === 'loading')
    await new Promise((resolve) => document.addEventListener('DOMContentLoaded', resolve, { once: true }))
  const fresh = collect()
  if (fresh === '') await changed()
  return fresh
}
