import { setTimeout as pause } from 'node:timers/promises'
import type { Dialog, Download, Page } from 'playwright-core'
import { listener } from '../../base/listener.ts'
import { tabSession } from '../../browser/tab-session.ts'
import { type NetworkWatch, watchNetwork } from '../../browser/watch-network.ts'

/** The tabs of one task: the first one, and those opened from it. The newest open tab is the current one. */
export interface Tabs {
  current(): Page
  network(): NetworkWatch
  /** Waits for requested tabs that are not open yet; a blocked window never opens. */
  untilOpened(mostMs: number): Promise<void>
  /** Events since the last call: dialogs, tabs, downloads. Our own text, with page text in quotes. */
  takeNews(): string[]
  /** How dialogs of the page are answered from now on. */
  acceptDialogs(isAccepting: boolean): void
  /** Stops listening; the tabs stay as they are. */
  release(): void
}

/** One listener per page, for any number of tasks. */
const watches = new WeakMap<Page, NetworkWatch>()

function watchOf(page: Page): NetworkWatch {
  const watch = watches.get(page) ?? watchNetwork(page)
  watches.set(page, watch)
  return watch
}

/** Maximum number of tabs that are followed. */
const mostTabs = 10

export function followTabs(first: Page): Tabs {
  const tabs: Page[] = []
  const releases: (() => void)[] = []
  const news: string[] = []
  let isAccepting = false
  let coming = 0
  const tell = (text: string) => {
    if (news.length < 10) news.push(text)
  }
  const follow = (page: Page) => {
    if (releases.length >= mostTabs) return tell('Another tab was opened, which is not followed.')
    if (page !== first) {
      coming = Math.max(0, coming - 1)
      tell('A new tab was opened; it is the current one now.')
    }
    tabs.push(page)
    watchOf(page)
    const closed = () => {
      tabs.splice(tabs.indexOf(page), 1)
      tell('A tab was closed.')
    }
    // A tab that cannot be followed is reported like other events.
    const lost = () => tell('Something happened in a tab that could not be followed.')
    const asked = listener(async (dialog: Dialog) => tell(await answer(dialog, isAccepting)), lost)
    const downloaded = listener((download: Download) => tell(downloadNews(download)), lost)
    const opened = listener(follow, lost)
    page.on('popup', opened).on('close', closed).on('dialog', asked).on('download', downloaded)
    const asking = () => {
      coming += 1
    }
    const stopWatching = watchWindows(page, asking)
    releases.push(() => {
      stopWatching()
      page.off('popup', opened).off('close', closed).off('dialog', asked).off('download', downloaded)
    })
  }
  follow(first)
  const current = () => tabs.at(-1) ?? first
  return {
    current,
    network: () => watchOf(current()),
    async untilOpened(mostMs) {
      const ends = performance.now() + mostMs
      while (coming > 0 && performance.now() < ends) await pause(20)
      coming = 0
    },
    takeNews: () => news.splice(0),
    acceptDialogs(value) {
      isAccepting = value
    },
    release() {
      for (const stop of releases) stop()
    },
  }
}

/** The driver reports a window when it is usable, possibly long after the click that requested it. */
function watchWindows(page: Page, onAsked: () => void): () => void {
  const listening = tabSession(page).then(async ({ session }) => {
    session.on('Page.windowOpen', onAsked)
    await session.send('Page.enable')
    return session
  })
  // A closed page requests no more windows.
  listening.catch(() => undefined)
  return () => {
    listening.then((session) => session.off('Page.windowOpen', onAsked)).catch(() => undefined)
  }
}

function downloadNews(download: Download): string {
  return `A download of ${JSON.stringify(download.suggestedFilename().slice(0, 100))} began; files are not kept.`
}

/** An alert is accepted, leaving a page is allowed; a question is declined unless the model says otherwise. */
async function answer(dialog: Dialog, isAccepting: boolean): Promise<string> {
  const isQuestion = dialog.type() === 'confirm' || dialog.type() === 'prompt'
  const accept = isAccepting || !isQuestion
  const words = JSON.stringify(dialog.message().slice(0, 300))
  // Another client of the browser may answer first; drivers do so automatically.
  const isOurs = await (accept ? dialog.accept() : dialog.dismiss()).then(
    () => true,
    () => false,
  )
  if (!isOurs) return `The page asked ${words}, which another program on this browser has answered.`
  if (!isQuestion) return `The page showed a message: ${words}`
  const how = accept ? 'accepted' : 'declined; to accept it, click again with acceptDialog'
  return `The page asked ${words}, which was ${how}.`
}
