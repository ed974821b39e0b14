import type { Page as Tab } from 'playwright-core'
import type { Deadline } from '../../base/deadline.ts'
import { AppError } from '../../base/errors.ts'
import type { Turn } from '../../browser/pool.ts'
import type { Guard } from '../../network/guard.ts'
import { navigationError } from './navigation-error.ts'

/** Leads a tab to a page. Nothing is done until the site answers, so the place of the tab goes to others meanwhile. */
export async function navigate(
  tab: Tab,
  url: URL,
  { guard, turn, deadline }: { guard: Guard; turn: Turn; deadline: Deadline },
): Promise<void> {
  try {
    const timeout = deadline.remaining()
    const response = await turn.whileWaiting(() => tab.goto(url.href, { waitUntil: 'commit', timeout }))
    // Over http our proxy answers in the site's place and strips this header from the site's own answers.
    const refused = response?.url().startsWith('http:') ? response.headers()['x-winnow-refused'] : undefined
    if (refused) throw navigationError(`refused ${refused}`)
    await turn.whileWaiting(() => tab.waitForLoadState('domcontentloaded', { timeout: deadline.remaining() }))
  } catch (thrown) {
    if (thrown instanceof AppError || deadline.signal.aborted || isLost(tab)) throw thrown
    // A tunnel that the proxy refused looks like one that failed; the guard knows which it was.
    const port = Number(url.port || (url.protocol === 'https:' ? 443 : 80))
    await guard.resolve(url.hostname, port)
    throw navigationError(thrown instanceof Error ? thrown.message : String(thrown), thrown)
  }
}

/** The browser has gone, and nothing is known of the site. */
function isLost(tab: Tab): boolean {
  return tab.context().browser()?.isConnected() === false
}
