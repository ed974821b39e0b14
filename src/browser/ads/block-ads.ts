import { setTimeout as sleep } from 'node:timers/promises'
import type { BrowserContext, Frame, JSHandle, Page, Request, Route } from 'playwright-core'
import { lazy, listener } from '../../platform/functions.ts'
import { ignoreError } from '../page-script.ts'
import { blockedMark } from '../serialise.ts'
import type { AdBlockerOptions, AdEngine, DocumentNames, RequestDecision, RequestFacts } from './engine.ts'

export const blockListFolders = [
  '/usr/share/chromium/extensions/ublock-origin/assets/ublock',
  '/usr/share/chromium/extensions/ublock-origin/assets/thirdparties/easylist',
]

export async function createAdBlocker(options: AdBlockerOptions) {
  let failures = 0
  const onFailure = (cause: unknown): undefined => {
    failures += 1
    // A failure repeats for every request, so it is logged once.
    if (failures === 1) options.log.warn({ cause }, 'ad blocking failed; the request is allowed')
  }
  const load = lazy(async () => {
    try {
      const { loadAdEngine } = await import('./engine.ts')
      return await loadAdEngine(options)
    } catch (cause) {
      return onFailure(cause)
    }
  })
  return {
    /** Blocks requests of every page of the context, and hides elements that the lists classify as ads. */
    async attach(context: BrowserContext) {
      const engine = await load()
      const blocked = new Set<string>()
      if (engine) await block(context, engine, { blocked, onFailure })
      const failureWarning = () =>
        failures > 0 ? `Ad blocking failed ${failures} times; ads may have been loaded.` : undefined
      return { blockedUrls: () => [...blocked], warning: () => engine?.warning() ?? failureWarning() }
    },
  }
}

export type AdBlocker = Awaited<ReturnType<typeof createAdBlocker>>

const maxBlockedUrls = 2000

async function block(
  context: BrowserContext,
  engine: AdEngine,
  { blocked, onFailure }: { blocked: Set<string>; onFailure: (cause: unknown) => void },
) {
  const onNavigated = listener((frame: Frame) => hideAds(frame, engine, onFailure), onFailure)
  const watchPage = (page: Page) => page.on('framenavigated', onNavigated)
  context.on('page', listener(watchPage, onFailure))
  for (const page of context.pages()) watchPage(page)
  await context.route('**/*', async (route) => {
    try {
      const decision = decide(route.request(), engine, onFailure)
      if (decision !== 'pass' && blocked.size < maxBlockedUrls) blocked.add(route.request().url())
      await respond(route, decision)
    } catch {
      // The page was closed, so no response is needed.
    }
  })
}

function decide(request: Request, engine: AdEngine, onFailure: (cause: unknown) => void): RequestDecision {
  try {
    const source = getRequestSource(request)
    return source ? engine.decide({ url: request.url(), ...source }) : 'pass'
  } catch (cause) {
    onFailure(cause)
    return 'pass'
  }
}

/** Undefined for the document of a page itself, which is never blocked. */
function getRequestSource(request: Request): Pick<RequestFacts, 'sourceUrl' | 'type'> | undefined {
  const frame = getFrame(request)
  if (!frame) return undefined
  const type = request.resourceType()
  if (!request.isNavigationRequest()) return { sourceUrl: documentUrl(frame), type: toRequestType(type) }
  const parent = frame.parentFrame()
  return parent ? { sourceUrl: documentUrl(parent), type: 'sub_frame' } : undefined
}

function getFrame(request: Request): Frame | undefined {
  try {
    return request.frame()
  } catch {
    // The request comes from a service worker, or from a page that is being opened.
    return undefined
  }
}

/** A frame without its own URL belongs to the document that created it. */
function documentUrl(frame: Frame): string {
  for (let current: Frame | null = frame; current; current = current.parentFrame()) {
    if (current.url().startsWith('http')) return current.url()
  }
  return ''
}

const types = ['stylesheet', 'image', 'media', 'font', 'script', 'xhr', 'fetch', 'ping', 'websocket'] as const

const toRequestType = (name: string): RequestFacts['type'] => types.find((type) => type === name) ?? 'other'

async function respond(route: Route, decision: RequestDecision): Promise<void> {
  if (decision === 'pass') return route.fallback()
  // A frame whose request was aborted would show Chromium's own error page in the middle of the document.
  const isFrame = route.request().isNavigationRequest()
  if (decision === 'block' && !isFrame) return route.abort('blockedbyclient')
  const contentType = isFrame || decision === 'block' ? 'text/html' : decision.empty
  return route.fulfill({ contentType, headers: { 'access-control-allow-origin': '*' }, body: '' })
}

/** Maximum number of times that styles are added for the new names of a document; later ads stay visible. */
const maxRounds = 8
/** Documents of one page, including frames and later navigations, whose ads are hidden. */
const maxDocuments = 40

const createHidingState = () => ({ sheet: new CSSStyleSheet(), known: new Set<string>() })
type HidingState = ReturnType<typeof createHidingState>

const hidingStates = new WeakMap<Frame, JSHandle<HidingState>>()
const documentCounts = new WeakMap<Page, number>()

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
  keepHidingAds(frame, stylesFor).catch(ignoreError)
}

async function keepHidingAds(frame: Frame, stylesFor: (names?: DocumentNames) => string): Promise<void> {
  const documentCount = documentCounts.get(frame.page()) ?? 0
  const isSameDocument = () => hidingStates.get(frame)?.evaluate(() => true)
  if (documentCount >= maxDocuments || (await isSameDocument()?.catch(() => false))) return
  documentCounts.set(frame.page(), documentCount + 1)
  const hiding = await frame.evaluateHandle(createHidingState)
  hidingStates.set(frame, hiding)
  await hiding.evaluate(applyStyles, { css: stylesFor(), mark: blockedMark })
  for (let round = 0; round < maxRounds; ) {
    const names = await hiding.evaluate(collectNewNames)
    // Elements are added in batches. A timer inside the page would count as one of the page's own.
    if (names === '') await sleep(batchDelayMs)
    else {
      await hiding.evaluate(applyStyles, { css: stylesFor(groupNames(names.split('\n'))), mark: blockedMark })
      round += 1
    }
  }
}

function groupNames(names: string[]): DocumentNames {
  const withPrefix = (prefix: string) =>
    names.filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length))
  return { classes: withPrefix('.'), ids: withPrefix('#'), hrefs: withPrefix('@') }
}

/** Runs in the page. */
function applyStyles({ sheet }: HidingState, { css, mark }: { css: string; mark: string }): void {
  // A constructed style sheet is not part of the markup, and no policy of the page forbids it.
  sheet.replaceSync([...sheet.cssRules].map((rule) => rule.cssText).join('\n') + css)
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet)
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSStyleRule) || rule.style.display !== 'none') continue
    for (const element of document.querySelectorAll(rule.selectorText)) {
      // The attribute marks the element for code that reads the markup, because style sheets are not part of it.
      if (element !== document.body && element !== document.documentElement)
        element.setAttribute('hidden', mark)
    }
  }
}

const batchDelayMs = 200

/**
 * Runs in the page. Returns the names that it has not returned before, one per line. If there are none, waits
 * until the document changes, and returns an empty string.
 */
async function collectNewNames({ known }: HidingState): Promise<string> {
  const maxElements = 20_000
  const maxNameLength = 500
  const maxLength = 500_000
  const collect = () => {
    // Joined manually: page scripts may have replaced array functions, which must not make the result longer.
    let fresh = ''
    const add = (name: string) => {
      if (name.length > maxNameLength || fresh.length > maxLength) return
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
  const waitForChange = () =>
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
  if (fresh === '') await waitForChange()
  return fresh
}
