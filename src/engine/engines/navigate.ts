import type { Page as Tab } from 'playwright-core'
import type { Deadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { Turn } from '../../browser/pool.ts'
import type { SentHeaders } from '../../browser/send-caller-headers.ts'
import { untilParsed } from '../../browser/until-parsed.ts'
import type { NetworkWatch } from '../../browser/watch-network.ts'
import type { Guard } from '../../network/guard.ts'
import { navigationError } from './navigation-error.ts'

interface Navigation {
  guard: Guard
  turn: Turn
  deadline: Deadline
  sent: SentHeaders
  network: NetworkWatch
}

/** Leads a tab to a page, and says if there is none but a file. Nothing is done until the site answers, so the place of the tab goes to others meanwhile. */
export async function navigate(
  tab: Tab,
  url: URL,
  { guard, turn, deadline, sent, network }: Navigation,
): Promise<'page' | 'file'> {
  const go = (href: string) => tab.goto(href, { waitUntil: 'commit', timeout: deadline.remaining() })
  try {
    const response = await turn.whileWaiting(() =>
      go(url.href).catch((thrown) => {
        const next = sent.stoppedAt()
        if (next === undefined) throw thrown
        return go(next)
      }),
    )
    // Over http our proxy answers in the site's place and strips this header from the site's own answers.
    const refused = response?.url().startsWith('http:') ? response.headers()['x-winnow-refused'] : undefined
    if (refused) throw navigationError(`refused ${refused}`)
    // A document that waits for nothing is busy with itself.
    await turn.whileWaiting(() => untilParsed(tab, deadline.signal), network.isLoading)
    return 'page'
  } catch (thrown) {
    if (thrown instanceof AppError || deadline.signal.aborted || isLost(tab)) throw thrown
    const message = thrown instanceof Error ? thrown.message : String(thrown)
    if (isDownload(message)) return 'file'
    // A tunnel that the proxy refused looks like one that failed; the guard knows which it was.
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    await guard.resolve(url.hostname, port)
    throw navigationError(message, thrown)
  }
}

/** What the driver says where the browser would save the answer instead of showing it. */
const isDownload = (message: string) => /Download is starting|ERR_ABORTED/.test(message)

/** The browser has gone, and nothing is known of the site. */
function isLost(tab: Tab): boolean {
  return tab.context().browser()?.isConnected() === false
}
