import { allowedAddress, type CdpParams } from '../cdp/allow-list.ts'
import { type Caller, connectCaller } from '../cdp/caller.ts'
import type { CdpMultiplexer } from '../cdp/multiplexer.ts'
import { toPageCall, type ViewerInput } from './input.ts'
import { type Frame, type Screencast, startScreencast } from './screencast.ts'

interface StageEvents {
  onFrame(frame: Frame): void
  onTabs(): void
  onGone(): void
}

const followEvery = 50
/** A page whose scripts do not end answers no input, and each input waits in memory. A few more calls can leave that page. */
const maxPendingCalls = { input: 200, navigation: 220 }
const notReacting = 'The page does not react: input is dropped. Open another URL or close the tab.'

/** The browser as viewers see it: its tab bar, and frames of the active tab. */
export async function openTabStream(cdp: CdpMultiplexer, events: StageEvents) {
  const tabs = openTabs()
  let isWatched = false
  let shown: Screencast | undefined
  let following: NodeJS.Timeout | undefined

  const caller = await connectCaller(cdp, {
    onEvent(method, params, sessionId) {
      shown?.onEvent(method, params, sessionId)
      if (tabs.notice(method, params)) followSoon()
    },
    onClosed: events.onGone,
  })
  const stopListening = cdp.onActivated((targetId) => {
    if (tabs.activate(targetId)) followSoon()
  })
  await caller.call('Target.setDiscoverTargets', { discover: true })

  /** A client may open pages, or bring them to the front, hundreds of times a second. */
  function followSoon(): void {
    following ??= setTimeout(follow, followEvery)
  }

  function follow(): void {
    clearTimeout(following)
    following = undefined
    const wanted = isWatched ? tabs.active()?.id : undefined
    if (shown?.targetId !== wanted) {
      shown?.stop()
      shown = wanted === undefined ? undefined : startScreencast(caller, wanted, show)
    }
    events.onTabs()
  }

  function show(frame: Frame): void {
    titles.soon()
    events.onFrame(frame)
  }

  /** Chromium has no event for a title change by script, and a title may change without a new frame. */
  const titles = repeatedLook(async () => {
    const targetId = tabs.active()?.id
    const known = await caller.call<CdpParams>('Target.getTargetInfo', { targetId }).catch(() => undefined)
    if (known && tabs.notice('Target.targetInfoChanged', known)) followSoon()
  })

  return {
    tabs: tabs.list,
    activeTab: tabs.active,
    /** Frames are only produced from here until `unwatch`. */
    watch() {
      isWatched = true
      titles.start()
      follow()
    },
    unwatch() {
      isWatched = false
      titles.stop()
      follow()
    },
    /** Returns the error message for the viewer, if it failed. */
    act: (input: ViewerInput) =>
      act(caller, shown, tabs.list().length, input).catch((error: Error) => error.message),
    close() {
      titles.stop()
      clearTimeout(following)
      stopListening()
      shown?.stop()
      caller.leave()
    },
  }
}

export type Stage = Awaited<ReturnType<typeof openTabStream>>

async function act(
  caller: Caller,
  page: Screencast | undefined,
  openTabCount: number,
  input: ViewerInput,
): Promise<string | undefined> {
  switch (input.type) {
    case 'new-tab':
      await caller.call('Target.createTarget', { url: 'about:blank' })
      return
    case 'switch-tab':
      await caller.call('Target.activateTarget', { targetId: input.id })
      return
    case 'close-tab':
      // A browser without a page shows nothing that could be used.
      if (openTabCount < 2) await caller.call('Target.createTarget', { url: 'about:blank' })
      await caller.call('Target.closeTarget', { targetId: input.id })
      return
    default:
      return page && actOn(page, input)
  }
}

type TabBarInput = Extract<ViewerInput, { type: 'new-tab' | 'switch-tab' | 'close-tab' }>

async function actOn(
  page: Screencast,
  input: Exclude<ViewerInput, TabBarInput>,
): Promise<string | undefined> {
  const isNavigation = ['navigate', 'reload', 'back', 'forward'].includes(input.type)
  if (page.pendingCalls() >= maxPendingCalls[isNavigation ? 'navigation' : 'input']) return notReacting
  switch (input.type) {
    case 'navigate':
      return navigate(page, input.url)
    case 'reload':
      await page.call('Page.reload')
      return
    case 'back':
    case 'forward':
      return travel(page, input.type)
    default: {
      const { method, params } = toPageCall(input)
      await page.call(method, params)
    }
  }
}

async function navigate(page: Screencast, typed: string): Promise<string | undefined> {
  const text = typed.trim()
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)
  const url = allowedAddress(hasScheme ? text : `https://${text}`)
  if (url === undefined) return 'Only http and https URLs can be opened.'
  const { errorText } = await page.call<{ errorText?: string }>('Page.navigate', { url })
  return errorText && `The page did not open: ${errorText}`
}

async function travel(page: Screencast, way: 'back' | 'forward'): Promise<undefined> {
  const { currentIndex, entries } = await page.call<{ currentIndex: number; entries: { id: number }[] }>(
    'Page.getNavigationHistory',
  )
  const entry = entries[currentIndex + (way === 'back' ? -1 : 1)]
  if (entry) await page.call('Page.navigateToHistoryEntry', { entryId: entry.id })
}

/** The polling interval after a change, and without changes. */
const lookWithinMs = { changed: 500, atRest: 2000 }

/** Polls, between start and stop, for changes that have no event. */
function repeatedLook(look: () => Promise<void>) {
  let isOn = false
  let next: { timer: NodeJS.Timeout; at: number } | undefined

  function within(milliseconds: number): void {
    const at = performance.now() + milliseconds
    if (!isOn || (next && next.at <= at)) return
    clearTimeout(next?.timer)
    next = { at, timer: setTimeout(lookOnce, milliseconds) }
  }

  async function lookOnce(): Promise<void> {
    next = undefined
    await look()
    within(lookWithinMs.atRest)
  }

  return {
    start() {
      isOn = true
      within(lookWithinMs.changed)
    },
    /** Something has changed: the next poll is sooner, and continuous changes do not delay it. */
    soon: () => within(lookWithinMs.changed),
    stop() {
      isOn = false
      clearTimeout(next?.timer)
      next = undefined
    },
  }
}

interface Tab {
  id: string
  url: string
  title: string
  isCrashed: boolean
}

/** The pages of a browser, as a tab bar. */
function openTabs() {
  const tabs = new Map<string, Tab>()
  /** The last is the active one; when it is closed, the one before it comes to the front again. */
  let order: string[] = []

  /** A client brought a page to the front; true if it was not already there. */
  function activate(id: string): boolean {
    if (!tabs.has(id) || order.at(-1) === id) return false
    order = [...order.filter((other) => other !== id), id]
    return true
  }

  function update(params: CdpParams): boolean {
    const page = readPage(params.targetInfo)
    if (!page) return false
    const known = tabs.get(page.id)
    if (known?.url === page.url && known.title === page.title && !known.isCrashed) return false
    tabs.set(page.id, page)
    if (!known) activate(page.id)
    return true
  }

  function remove(id: string): boolean {
    order = order.filter((other) => other !== id)
    return tabs.delete(id)
  }

  function crash(id: string): boolean {
    const tab = tabs.get(id)
    if (tab) tabs.set(id, { ...tab, isCrashed: true })
    return tab !== undefined
  }

  return {
    /** Handles an event of the `Target` domain; true if something has changed. */
    notice(method: string, params: CdpParams): boolean {
      if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged') return update(params)
      if (method === 'Target.targetDestroyed') return remove(String(params.targetId))
      if (method === 'Target.targetCrashed') return crash(String(params.targetId))
      return false
    },
    activate,
    /** In the order in which they were opened. */
    list: () => [...tabs.values()],
    /** The one that was opened or brought to the front last. */
    active: () => tabs.get(order.at(-1) ?? ''),
  }
}

function readPage(target: unknown): Tab | undefined {
  if (typeof target !== 'object' || target === null) return
  // The shape of `Target.TargetInfo`; a page with a subtype is one that is only being prepared.
  const { targetId, type, subtype, url, title } = target as Record<string, string | undefined>
  if (type !== 'page' || subtype || targetId === undefined) return
  return {
    id: targetId,
    url: (url ?? '').slice(0, 2000),
    title: (title ?? '').slice(0, 200),
    isCrashed: false,
  }
}
