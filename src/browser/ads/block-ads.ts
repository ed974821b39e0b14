import type { BrowserContext, Frame, Page, Request, Route } from 'playwright-core'
import { listener } from '../../base/listener.ts'
import type { Log } from '../../base/log.ts'
import type { AdEngine, Judged, RequestDecision } from './engine.ts'
import { hideAds } from './hide.ts'

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
export const knownListFolders = [
  '/usr/share/chromium/extensions/ublock-origin/assets/ublock',
  '/usr/share/chromium/extensions/ublock-origin/assets/thirdparties/easylist',
]

export interface AdBlockerOptions {
  /** Every `*.txt` in them is a list in Adblock syntax; missing folders are skipped. */
  listFolders: string[]
  /** Stores the engine compiled from the lists, so that the next start does not compile it again. */
  cacheFile: string | undefined
  log: Log
}

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
  const warning = () => engine?.warning() ?? failureText(failures)
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

function failureText(failures: number): string | undefined {
  return failures === 0 ? undefined : `Ad blocking failed ${failures} times; ads may have been loaded.`
}

/** Maximum number of blocked URLs that are remembered per page. */
const mostBlocked = 2000

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
      if (judgement !== 'pass' && blocked.size < mostBlocked) blocked.add(route.request().url())
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
