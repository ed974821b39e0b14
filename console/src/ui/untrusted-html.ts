interface UntrustedHtml {
  /** Sanitized document: no scripts, no subresources except data images, links only to web pages. */
  markup: string
  /** Text of its style sheets, in document order. */
  sheets: string[]
}

/** Attribute that stores the inline style of an element until it is applied. */
const styleAttribute = 'data-winnow-style'
const removedSelector = 'script, iframe, frame, object, embed, link, meta, base, template, noscript, style'
const urlAttributes = new Set(['src', 'srcset', 'poster', 'href', 'xlink:href', 'data', 'background', 'ping'])
/** Second line of defence: blocks scripts and requests that the sanitizer missed. */
const contentSecurityPolicy = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"

/** Sanitizes untrusted HTML for an iframe. Uses an inert document, so nothing runs or loads. */
export function parseUntrustedHtml(html: string): UntrustedHtml {
  const parsed = new DOMParser().parseFromString(html, 'text/html')
  const sheets = [...parsed.querySelectorAll('style')].map(({ textContent }) => textContent ?? '')
  for (const element of parsed.querySelectorAll(removedSelector)) element.remove()
  for (const element of parsed.querySelectorAll('*')) sanitizeElement(element)
  const head = `<!doctype html><meta http-equiv="Content-Security-Policy" content="${contentSecurityPolicy}">`
  return { markup: head + parsed.documentElement.outerHTML, sheets }
}

function sanitizeElement(element: Element): void {
  for (const { name, value } of [...element.attributes]) {
    if (name === 'style') element.setAttribute(styleAttribute, value)
    if (name === 'style' || name.startsWith('on') || name === 'autofocus') element.removeAttribute(name)
    else if (urlAttributes.has(name) && !isAllowedUrl(element, name, value)) element.removeAttribute(name)
  }
}

/** Returns true for links to web pages, fragment links and data images. */
function isAllowedUrl({ localName }: Element, name: string, value: string): boolean {
  if (value.startsWith('#')) return true
  if (localName === 'a') return name === 'href' && /^https?:/i.test(value)
  return localName === 'img' && name === 'src' && /^data:image\//i.test(value)
}

/**
 * Applies the styles of the page through the CSSOM. A srcdoc frame inherits the content security policy of the
 * console, which blocks inline styles and `<style>`. It does not restrict styles that a script sets.
 */
export function applyPageStyles(frame: HTMLIFrameElement, sheets: string[]): void {
  const frameDocument = frame.contentDocument
  // The frame is same-origin, so its window has the constructors of a full global.
  const frameWindow = frame.contentWindow as (Window & typeof globalThis) | null
  if (!frameDocument || !frameWindow) return
  frameDocument.adoptedStyleSheets = [baseStyles, ...sheets].map((text) => {
    const sheet = new frameWindow.CSSStyleSheet()
    sheet.replaceSync(text)
    return sheet
  })
  for (const element of frameDocument.querySelectorAll<HTMLElement>(`[${styleAttribute}]`)) {
    element.style.cssText = element.getAttribute(styleAttribute) ?? ''
  }
}

/**
 * Base styles of an untrusted page. They are light in both themes, because pages are designed for a light background.
 */
const baseStyles = `
:root { color-scheme: light; background: #fff; color: #1d2327; font: 16px/1.55 system-ui, sans-serif; overflow-wrap: anywhere }
body { margin: 1rem auto; padding: 0 1rem; max-width: 46rem }
h1, h2, h3 { line-height: 1.25 }
a { color: #0b5c4f }
img, svg, video { max-width: 100%; height: auto }
pre { overflow-x: auto; background: #f3f4f2; padding: 0.75rem }
table { border-collapse: collapse }
td, th { border: 1px solid #d5d9d4; padding: 0.3rem 0.6rem; text-align: start; vertical-align: top }
[data-winnow-evidence] { outline: 3px solid #0b5c4f; background: #ffe9a8 }
`
