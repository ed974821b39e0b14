import { type CdpParams, toAllowedUrl } from '../cdp/allow-list.ts'
import { type Caller, connectCaller } from '../cdp/caller.ts'
import type { CdpMultiplexer } from '../cdp/multiplexer.ts'
import { toPageCall, type ViewerInput } from './input.ts'
import { type Frame, type Screencast, startScreencast } from './screencast.ts'

const followDelayMs = 50
/** Inputs of a page that does not react stay in memory. A few more calls are allowed to open another page. */
const maxPendingCalls = { input: 200, navigation: 220 }
const unresponsiveMessage = 'The page does not react: input is dropped. Open another URL or close the tab.'

export async function openTabStream(
  cdp: CdpMultiplexer,
  events: { onFrame(frame: Frame): void; onTabs(): void; onBrowserEnd(): void },
) {
  const tabs = createTabList()
  let isWatched = false
  let screencast: Screencast | undefined
  let followTimer: NodeJS.Timeout | undefined

  const caller = await connectCaller(cdp, {
    onEvent(method, params, sessionId) {
      screencast?.onEvent(method, params, sessionId)
      if (tabs.handleEvent(method, params)) scheduleFollow()
    },
    onClosed: events.onBrowserEnd,
  })
  const stopListening = cdp.onActivated((targetId) => {
    if (tabs.activate(targetId)) scheduleFollow()
  })
  await caller.call('Target.setDiscoverTargets', { discover: true })

  /** Debounced, because a client may open or activate pages hundreds of times a second. */
  function scheduleFollow(): void {
    followTimer ??= setTimeout(followActiveTab, followDelayMs)
  }

  function followActiveTab(): void {
    clearTimeout(followTimer)
    followTimer = undefined
    const activeId = isWatched ? tabs.active()?.id : undefined
    if (screencast?.targetId !== activeId) {
      screencast?.stop()
      screencast = activeId === undefined ? undefined : startScreencast(caller, activeId, onFrame)
    }
    events.onTabs()
  }

  function onFrame(frame: Frame): void {
    titlePoller.scheduleSoon()
    events.onFrame(frame)
  }

  /** Chromium has no event for a title change by script, which may cause no new frame. */
  const titlePoller = createPoller(async () => {
    const targetId = tabs.active()?.id
    const target = await caller.call<CdpParams>('Target.getTargetInfo', { targetId }).catch(() => undefined)
    if (target && tabs.handleEvent('Target.targetInfoChanged', target)) scheduleFollow()
  })

  return {
    tabs: tabs.list,
    activeTab: tabs.active,
    watch() {
      isWatched = true
      titlePoller.start()
      followActiveTab()
    },
    unwatch() {
      isWatched = false
      titlePoller.stop()
      followActiveTab()
    },
    act: (input: ViewerInput) =>
      handleInput(caller, screencast, tabs.list().length, input).catch((error: Error) => error.message),
    close() {
      titlePoller.stop()
      clearTimeout(followTimer)
      stopListening()
      screencast?.stop()
      caller.disconnect()
    },
  }
}

export type TabStream = Awaited<ReturnType<typeof openTabStream>>

async function handleInput(
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
      // A browser without a page cannot be used, so a blank page replaces the last one.
      if (openTabCount < 2) await caller.call('Target.createTarget', { url: 'about:blank' })
      await caller.call('Target.closeTarget', { targetId: input.id })
      return
    default:
      return page && handlePageInput(page, input)
  }
}

async function handlePageInput(
  page: Screencast,
  input: Exclude<ViewerInput, { type: 'new-tab' | 'switch-tab' | 'close-tab' }>,
): Promise<string | undefined> {
  const isNavigation = ['navigate', 'reload', 'back', 'forward'].includes(input.type)
  if (page.pendingCalls() >= maxPendingCalls[isNavigation ? 'navigation' : 'input'])
    return unresponsiveMessage
  switch (input.type) {
    case 'navigate':
      return navigate(page, input.url)
    case 'reload':
      await page.call('Page.reload')
      return
    case 'back':
    case 'forward':
      return navigateHistory(page, input.type)
    default: {
      const { method, params } = toPageCall(input)
      await page.call(method, params)
    }
  }
}

async function navigate(page: Screencast, typedUrl: string): Promise<string | undefined> {
  const text = typedUrl.trim()
  const hasScheme = /^[a-z][a-z0-9+.-]*:(?!\d)/i.test(text)
  const url = toAllowedUrl(hasScheme ? text : `https://${text}`)
  if (url === undefined) return 'Only http and https URLs can be opened.'
  const { errorText } = await page.call<{ errorText?: string }>('Page.navigate', { url })
  return errorText && `The page did not open: ${errorText}`
}

async function navigateHistory(page: Screencast, direction: 'back' | 'forward'): Promise<undefined> {
  const history: { currentIndex: number; entries: { id: number }[] } =
    await page.call('Page.getNavigationHistory')
  const entry = history.entries[history.currentIndex + (direction === 'back' ? -1 : 1)]
  if (entry) await page.call('Page.navigateToHistoryEntry', { entryId: entry.id })
}

const pollIntervalMs = { changed: 500, unchanged: 2000 }

function createPoller(poll: () => Promise<void>) {
  let isOn = false
  let next: { timer: NodeJS.Timeout; at: number } | undefined

  function schedule(milliseconds: number): void {
    const at = performance.now() + milliseconds
    if (!isOn || (next && next.at <= at)) return
    clearTimeout(next?.timer)
    next = { at, timer: setTimeout(pollOnce, milliseconds) }
  }

  async function pollOnce(): Promise<void> {
    next = undefined
    await poll()
    schedule(pollIntervalMs.unchanged)
  }

  return {
    start() {
      isOn = true
      schedule(pollIntervalMs.changed)
    },
    /** Schedules the next poll sooner after a change; continuous changes do not delay it. */
    scheduleSoon: () => schedule(pollIntervalMs.changed),
    stop() {
      isOn = false
      clearTimeout(next?.timer)
      next = undefined
    },
  }
}

function createTabList() {
  const tabs = new Map<string, NonNullable<ReturnType<typeof readPage>>>()
  /** The last tab is active; when it is closed, the tab before it becomes active. */
  let activationOrder: string[] = []

  function activate(id: string): boolean {
    if (!tabs.has(id) || activationOrder.at(-1) === id) return false
    activationOrder = [...activationOrder.filter((other) => other !== id), id]
    return true
  }

  function update(params: CdpParams): boolean {
    const page = readPage(params.targetInfo)
    if (!page) return false
    const existing = tabs.get(page.id)
    if (existing?.url === page.url && existing.title === page.title && !existing.isCrashed) return false
    tabs.set(page.id, page)
    if (!existing) activate(page.id)
    return true
  }

  function remove(id: string): boolean {
    activationOrder = activationOrder.filter((other) => other !== id)
    return tabs.delete(id)
  }

  function crash(id: string): boolean {
    const tab = tabs.get(id)
    if (tab) tabs.set(id, { ...tab, isCrashed: true })
    return tab !== undefined
  }

  return {
    handleEvent(method: string, params: CdpParams): boolean {
      if (method === 'Target.targetCreated' || method === 'Target.targetInfoChanged') return update(params)
      if (method === 'Target.targetDestroyed') return remove(String(params.targetId))
      if (method === 'Target.targetCrashed') return crash(String(params.targetId))
      return false
    },
    activate,
    list: () => [...tabs.values()],
    active: () => tabs.get(activationOrder.at(-1) ?? ''),
  }
}

function readPage(target: unknown) {
  if (typeof target !== 'object' || target === null) return
  // The shape of `Target.TargetInfo`; a page with a subtype is only being prepared.
  const { targetId: id, type, subtype, url, title } = target as Record<string, string | undefined>
  if (type !== 'page' || subtype || id === undefined) return
  return { id, url: (url ?? '').slice(0, 2000), title: (title ?? '').slice(0, 200), isCrashed: false }
}
