import type { LogoCandidate } from '../../content/style-snapshot.ts'

export const logoParts = { logos, candidateOf, isHomeLink, wordsOf, imageAddress, svgAddress, absolute }

declare const rectangle: typeof import('./measures.ts').rectangle
declare const short: typeof import('./measures.ts').short

/** Pictures that may be the logo of the page. Runs in the page. */
export function logos(ends: number): LogoCandidate[] {
  const found: LogoCandidate[] = []
  const elements = document.querySelectorAll('img, svg, [class*="logo" i], [id*="logo" i]')
  for (const element of [...elements].slice(0, 400)) {
    if (found.length >= 40 || performance.now() > ends) break
    const candidate = candidateOf(element)
    if (candidate) found.push(candidate)
  }
  return found
}

function candidateOf(element: Element): LogoCandidate | undefined {
  const rect = rectangle(element)
  if (rect.width < 12 || rect.height < 12 || element.parentElement?.closest('svg')) return undefined
  const link = element.closest('a[href]')
  // Shops and agencies show the logos of others.
  const others = ['client', 'customer', 'partner', 'sponsor', 'logos'].map((word) => `[class*="${word}" i]`)
  const isCalledLogo = /logo(?!ut)/i.test(wordsOf(element, link)) && !element.closest(others.join())
  const isInHomeLink = isHomeLink(link)
  const isInHeader = rect.y < 250 && element.closest('header, nav, [role="banner"]') !== null
  const isIcon = !isInHeader || element.closest('button') !== null
  if (!isCalledLogo && !isInHomeLink && isIcon) return undefined
  const url = imageAddress(element)
  const label = element.getAttribute('alt') || element.getAttribute('aria-label')
  const title = element.querySelector('title')?.textContent || link?.getAttribute('aria-label')
  return url
    ? { url, alt: short(label || title, 200), rect, isInHeader, isInHomeLink, isCalledLogo }
    : undefined
}

function isHomeLink(link: Element | null): boolean {
  if (!(link instanceof HTMLAnchorElement)) return false
  const isHere = link.hostname.replace(/^www\./, '') === location.hostname.replace(/^www\./, '')
  return isHere && /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?|(?:index|home)(?:\.\w+)?\/?)?$/i.test(link.pathname)
}

function wordsOf(element: Element, link: Element | null): string {
  const near = [element, element.parentElement, element.parentElement?.parentElement, link]
  const names = ['class', 'id', 'alt', 'src', 'aria-label', 'title']
  const words = near.flatMap((one) => names.map((name) => one?.getAttribute(name) ?? ''))
  return words.filter((word) => !word.startsWith('data:')).join(' ')
}

function imageAddress(element: Element): string | undefined {
  if (element instanceof SVGElement) return svgAddress(element)
  const image = element instanceof HTMLImageElement ? element.currentSrc || element.src : ''
  const painted = /url\("([^"]+)"\)/.exec(getComputedStyle(element).backgroundImage)?.[1]
  return absolute(image || painted)
}

function svgAddress(svg: Element): string | undefined {
  if (svg.outerHTML.length > 20_000) return undefined
  // A copy of an element is one.
  const clone = svg.cloneNode(true) as Element
  const shapes = 'path, rect, circle, ellipse, polygon, polyline, line, text, g, use'
  const copies = clone.querySelectorAll(shapes)
  for (const [index, shape] of [...svg.querySelectorAll(shapes)].entries()) {
    const { fill, stroke } = getComputedStyle(shape)
    if (!fill.startsWith('url')) copies[index]?.setAttribute('fill', fill)
    if (stroke !== 'none' && !stroke.startsWith('url')) copies[index]?.setAttribute('stroke', stroke)
  }
  for (const use of [...clone.querySelectorAll('use')].slice(0, 10)) {
    const target = use.getAttribute('href') ?? use.getAttribute('xlink:href') ?? ''
    const drawn = target.startsWith('#') ? document.getElementById(target.slice(1)) : null
    if (!drawn) return undefined
    clone.append(drawn.cloneNode(true))
  }
  for (const active of clone.querySelectorAll('script, foreignObject')) active.remove()
  const { width, height } = svg.getBoundingClientRect()
  clone.setAttribute('width', String(Math.round(width)))
  clone.setAttribute('height', String(Math.round(height)))
  const bytes = new TextEncoder().encode(new XMLSerializer().serializeToString(clone))
  if (bytes.length > 20_000) return undefined
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return `data:image/svg+xml;base64,${btoa(binary)}`
}

export function absolute(address: string | null | undefined): string | undefined {
  const url = address ? URL.parse(address, document.baseURI) : null
  return url && /^(?:https?|data):$/.test(url.protocol) && url.href.length < 30_000 ? url.href : undefined
}
