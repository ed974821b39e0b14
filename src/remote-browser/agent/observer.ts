import type { Locator } from 'playwright-core'
import { AppError } from '../../base/errors.ts'
import { reasonOf } from './driver-message.ts'
import { hasRef, look, partOf, type View } from './look.ts'
import type { Tabs } from './tabs.ts'
import { Refusal } from './tool.ts'

/** What the model has seen last, and what its refs mean. */
export interface Observer {
  /** The current page in words: what happened, where we are, the outline. All of it is text of the page. */
  look(timeoutMs: number): Promise<string>
  /** The outline as it was seen last. */
  outline(): string
  /** The element of that outline; refuses refs that do not stand in it. */
  element(ref: string): Locator
  /** Which part of a long outline is told from now on. */
  showPart(part: number): void
}

export function createObserver(tabs: Tabs): Observer {
  let view: View = { url: '', title: '', outline: '' }
  let part = 1
  return {
    async look(timeoutMs) {
      const page = tabs.current()
      const before = view.url
      view = await look(page, timeoutMs).catch((thrown: unknown) => {
        if (page.isClosed()) throw gone(thrown)
        return { url: page.url(), title: '', outline: `(the page does not answer: ${reasonOf(thrown)})` }
      })
      if (view.url !== before) part = 1
      const news = tabs.takeNews().map((line) => `${line}\n`)
      return `${news.join('')}Address: ${view.url}\nTitle: ${view.title}\n\n${partOf(view.outline, part)}`
    },
    outline: () => view.outline,
    element(ref) {
      // Without this, the driver would wait for an element that will never be there.
      if (!hasRef(view.outline, ref)) throw new Refusal(`There is no element ${ref} in the latest outline.`)
      return tabs.current().getByRef(ref)
    },
    showPart(chosen) {
      part = chosen
    },
  }
}

function gone(cause: unknown): AppError {
  const message = 'The page was closed while the task was worked on. Open a page and call again.'
  return new AppError('BROWSER_FAILED', { phase: 'look' }, { message, cause })
}
