import { setTimeout as sleep } from 'node:timers/promises'
import type { Frame, JSHandle, Page } from 'playwright-core'
import { blockedMark } from '../serialise.ts'
import type { AdEngine, DocumentNames } from './engine.ts'

/** How often a document is checked for new class names and ids; later ads stay visible. */
const mostRounds = 8
/** Maximum number of documents of one page, including frames and later navigations, whose ads are hidden. */
const mostDocuments = 40

/** State in a page while its ads are hidden; it lives as long as its document. */
interface Hiding {
  sheet: CSSStyleSheet
  /** Names already reported, each with a prefix for its kind. */
  known: Set<string>
}

const hidings = new WeakMap<Frame, JSHandle<Hiding>>()
const documents = new WeakMap<Page, number>()

/** Hides the ads of a new document of a frame, for as long as the document lives. */
export function hideAds(frame: Frame, engine: AdEngine, onFailure: (cause: unknown) => void): void {
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
  follow(frame, stylesFor).catch(() => {
    // The document or its page was closed.
  })
}

async function follow(frame: Frame, stylesFor: (names?: DocumentNames) => string): Promise<void> {
  const before = documents.get(frame.page()) ?? 0
  if (before >= mostDocuments || (await isSameDocument(frame))) return
  documents.set(frame.page(), before + 1)
  const hiding = await frame.evaluateHandle(() => ({ sheet: new CSSStyleSheet(), known: new Set<string>() }))
  hidings.set(frame, hiding)
  await hiding.evaluate(hide, { css: stylesFor(), mark: blockedMark })
  for (let round = 0; round < mostRounds; ) {
    const names = await hiding.evaluate(nextNames)
    // Elements are added in batches, so a short wait catches most of them. A timer inside the page would count as one of the page's own.
    if (names === '') await sleep(crowding)
    else {
      await hiding.evaluate(hide, { css: stylesFor(sorted(names.split('\n'))), mark: blockedMark })
      round += 1
    }
  }
}

/** A navigation within one document is reported like a new document. */
async function isSameDocument(frame: Frame): Promise<boolean> {
  const alive = await hidings
    .get(frame)
    ?.evaluate(() => true)
    .catch(() => false)
  return alive ?? false
}

function sorted(names: string[]): DocumentNames {
  const withSign = (sign: string) =>
    names.filter((name) => name.startsWith(sign)).map((name) => name.slice(sign.length))
  return { classes: withSign('.'), ids: withSign('#'), hrefs: withSign('@') }
}

/** Runs in the page. */
function hide({ sheet }: Hiding, { css, mark }: { css: string; mark: string }): void {
  // Not an element: a style sheet of this kind is not part of the markup, and no policy of the page forbids it.
  sheet.replaceSync([...sheet.cssRules].map((rule) => rule.cssText).join('\n') + css)
  if (!document.adoptedStyleSheets.includes(sheet)) document.adoptedStyleSheets.push(sheet)
  for (const rule of sheet.cssRules) {
    if (!(rule instanceof CSSStyleRule) || rule.style.display !== 'none') continue
    for (const element of document.querySelectorAll(rule.selectorText)) {
      // Readers of the markup do not see style sheets; the attribute tells them.
      if (element !== document.body && element !== document.documentElement)
        element.setAttribute('hidden', mark)
    }
  }
}

const crowding = 200

/** Runs in the page: names that have not been reported, one per line; none when the document has changed instead. */
async function nextNames({ known }: Hiding): Promise<string> {
  const mostElements = 20_000
  const longestName = 500
  const most = 500_000
  const collect = () => {
    // Joined manually: page scripts may have replaced array functions, which must not make the result longer.
    let fresh = ''
    const add = (name: string) => {
      if (name.length > longestName || fresh.length > most) return
      if (known.has(name) || name.includes('\n')) return
      known.add(name)
      fresh += fresh === '' ? name : `\n${name}`
    }
    const elements = document.querySelectorAll('[class],[id],a[href]')
    for (const element of Array.from(elements).slice(0, mostElements)) {
      for (const name of element.classList) add(`.${name}`)
      if (element.id) add(`#${element.id}`)
      const href = element.getAttribute('href')
      if (href) add(`@${href}`)
    }
    return fresh
  }
  const changed = () =>
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
  if (fresh === '') await changed()
  return fresh
}
