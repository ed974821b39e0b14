import { allowedAddress, type CdpParams } from '../cdp/allow-list.ts'
import { type Caller, connectCaller } from '../cdp/caller.ts'
import type { CdpSwitch } from '../cdp/switch.ts'
import { toPageCall, type ViewerInput } from './input.ts'
import { repeatedLook } from './repeated-look.ts'
import { type Frame, type Screencast, startScreencast } from './screencast.ts'
import { openTabs, type Tab } from './tabs.ts'

export interface Stage {
  tabs(): Tab[]
  activeTab(): Tab | undefined
  /** Frames are only produced between start and stop. */
  watch(): void
  unwatch(): void
  /** Returns the error message for the viewer, if it failed. */
  act(input: ViewerInput): Promise<string | undefined>
  close(): void
}

export interface StageEvents {
  onFrame(frame: Frame): void
  onTabs(): void
  onGone(): void
}

const followEvery = 50
/** A page whose scripts do not end answers no input, and each input waits in memory. A few more calls can leave that page. */
const maxPendingCalls = { input: 200, navigation: 220 }
const notReacting = 'The page does not react: input is dropped. Open another URL or close the tab.'

/** The browser as viewers see it: its tab bar, and frames of the active tab. */
export async function openStage(cdp: CdpSwitch, events: StageEvents): Promise<Stage> {
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
    act: (input) => act(caller, shown, tabs.list().length, input).catch((error: Error) => error.message),
    close() {
      titles.stop()
      clearTimeout(following)
      stopListening()
      shown?.stop()
      caller.leave()
    },
  }
}

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
