interface StrangerHtml {
  /** What is left to be shown: nothing in it runs, loads or leads anywhere but to a page. */
  markup: string
  /** Its style sheets, in their order. */
  sheets: string[]
}

/** Where the style of an element waits until it is applied. */
const waiting = 'data-winnow-style'
const removed = 'script, iframe, frame, object, embed, link, meta, base, template, noscript, style'
const addresses = new Set(['src', 'srcset', 'poster', 'href', 'xlink:href', 'data', 'background', 'ping'])
/** Nothing may be loaded or run, whatever was overlooked above. */
const policy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** The HTML of strangers, made harmless before a frame gets it. The tree that is worked on runs and loads nothing. */
export function parseUntrustedHtml(html: string): StrangerHtml {
  const tree = new DOMParser().parseFromString(html, 'text/html')
  const sheets = [...tree.querySelectorAll('style')].map(({ textContent }) => textContent ?? '')
  for (const one of tree.querySelectorAll(removed)) one.remove()
  for (const element of tree.querySelectorAll('*')) makeHarmless(element)
  const head = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${policy}">`
  return { markup: head + tree.documentElement.outerHTML, sheets }
}

function makeHarmless(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    if (name === 'style') element.setAttribute(waiting, value)
    if (name === 'style' || name.startsWith('on') || name === 'autofocus') element.removeAttribute(name)
    else if (addresses.has(name) && !mayStay(element, name, value)) element.removeAttribute(name)
  }
}

/** Links to pages, marks within the page, and pictures that are part of it. */
function mayStay({ localName }: Element, name: string, value: string): boolean {
  if (value.startsWith('#')) return true
  if (localName === 'a') return name === 'href' && /^https?:/i.test(value)
  return localName === 'img' && name === 'src' && /^data:image\//i.test(value)
}

/**
 * Gives the page its styles. The policy of the console, which a frame without an address inherits, refuses styles in
 * markup; what a script of the console sets is its own doing, and passes.
 */
export function applyPageStyles(frame: HTMLIFrameElement, sheets: string[]): void {
  const page = frame.contentDocument
  // The frame has the origin of this page.
  const view = frame.contentWindow as (Window & typeof globalThis) | null
  if (!page || !view) return
  page.adoptedStyleSheets = [base, ...sheets].map((text) => {
    const sheet = new view.CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  for (const element of page.querySelectorAll<HTMLElement>(`[${waiting}]`)) {
    element.style.cssText = element.getAttribute(waiting) ?? ''
  }
}

/** How a page looks that says nothing of its own: paper, in both themes, since pages are made for it. */
const base = `
:root { color-scheme: light; background: #fff; color: #1d2327; font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
body { margin: 1rem auto; padding: 0 1rem; max-width: 46rem }
h1, h2, h3 { line-height: 1.25 }
a { color: #0b5c4f }
img, svg, video { max-width: 100%; height: auto }
pre { overflow-x: auto; background: #f3f4f2; padding: 0.75rem }
table { border-collapse: collapse }
td, th { border: 1px solid #d5d9d4; padding: 0.3rem 0.6rem; text-align: start; vertical-align: top }
[data-winnow-place] { outline: 3px solid #0b5c4f; background: #ffe9a8 }
`
