import type { Locator } from 'playwright-core'
import { AppError } from '../../base/errors.ts'
import { reasonOf } from './driver-message.ts'
import { hasRef, look, partOf, type View } from './look.ts'
import type { Tabs } from './tabs.ts'
import { Refusal } from './tool.ts'

/** The last outline that the model has seen, and the elements of its refs. */
export interface Observer {
  /** The current page as text: events, URL, outline. All of it is page text. */
  look(timeoutMs: number): Promise<string>
  /** The last outline. */
  outline(): string
  /** The element of that outline; rejects unknown refs. */
  element(ref: string): Locator
  /** Which part of a long outline is shown from now on. */
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
      // Without this, the driver would wait for an element that never appears.
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
