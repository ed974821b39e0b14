import type { Page } from 'playwright-core'
import { type LogoCandidate, type StyleSnapshot, styleSnapshot } from '../../content/style-snapshot.ts'
import { evaluateInIsolatedWorld, pageScript } from '../page-script.ts'
import { elementParts, measureParts } from './elements.ts'

type Marks = Pick<StyleSnapshot, 'logos' | 'organization' | 'siteName' | 'favicon' | 'touchIcon' | 'ogImage'>

/** Logos and names, as JSON. */
export const readBrandAssets = pageScript(
  marksOfPage,
  { meta, icon, organization, organizationIn },
  { logos, candidateOf, isHomeLink, wordsOf, imageAddress, svgAddress, absolute },
  measureParts,
)

declare const samples: typeof import('./elements.ts').samples
declare const rectangle: typeof import('./elements.ts').rectangle
declare const short: typeof import('./elements.ts').short

/** Runs in the page. */
function marksOfPage(): string {
  const ends = performance.now() + 100
  const siteName = meta('og:site_name', 'application-name')
  const favicon = icon('icon')
  const touchIcon = icon('apple-touch-icon')
  const ogImage = absolute(meta('og:image', 'og:image:url', 'twitter:image'))
  const found = { logos: logos(ends), organization: organization() }
  const marks: Marks = { ...found, siteName, favicon, touchIcon, ogImage }
  return JSON.stringify(marks)
}

function meta(...names: string[]): string | undefined {
  const found = names.map((name) => document.querySelector(`meta[property="${name}"], meta[name="${name}"]`))
  return found.map((element) => short(element?.getAttribute('content'), 2000)).find((content) => content)
}

/** A drawing serves every size; otherwise the largest. */
function icon(relation: string): string | undefined {
  const links = [...document.querySelectorAll<HTMLLinkElement>(`link[rel~="${relation}" i][href]`)]
  const sizeOf = (link: HTMLLinkElement) =>
    /svg/.test(link.type + link.getAttribute('href')) ? 10_000 : Number.parseInt(link.sizes.value, 10) || 0
  return absolute(links.sort((a, b) => sizeOf(b) - sizeOf(a))[0]?.href)
}

function organization(): StyleSnapshot['organization'] {
  for (const script of [...document.querySelectorAll('script[type="application/ld+json"]')].slice(0, 30)) {
    try {
      const text = script.textContent ?? ''
      const found = text.length < 500_000 ? organizationIn(JSON.parse(text), 0) : undefined
      const [image]: unknown[] = [found?.logo].flat()
      const { url, contentUrl } = Object(image)
      const logo = absolute(String(url ?? contentUrl ?? image ?? ''))
      const name = typeof found?.name === 'string' ? short(found.name, 200) : ''
      if (logo) return { logo, ...(name && { name }) }
    } catch {
      // Not JSON: another block may be.
    }
  }
  return {}
}

interface Described {
  [name: string]: unknown
}

function organizationIn(value: unknown, depth: number): Described | undefined {
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  // What JSON calls an object has entries by name, and nothing is known of them yet.
  const thing = value as Described
  const isOrganization = /organi[sz]ation|corporation|business|store|brand/i.test(String(thing['@type']))
  if (isOrganization && thing.logo) return thing
  const inner = Array.isArray(value)
    ? value.slice(0, 100)
    : [thing['@graph'], thing.publisher, thing.mainEntity]
  return inner.map((one) => organizationIn(one, depth + 1)).find((one) => one !== undefined)
}

/** Pictures that may be the logo of the page. Runs in the page. */
function logos(ends: number): LogoCandidate[] {
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

function absolute(address: string | null | undefined): string | undefined {
  const url = address ? URL.parse(address, document.baseURI) : null
  return url && /^(?:https?|data):$/.test(url.protocol) && url.href.length < 30_000 ? url.href : undefined
}

/** More than all that is collected can be; a page may say anything. */
const maxLength = 5_000_000

/** What branding reads, taken from the open page. A page that cannot be read gives a snapshot of nothing. */
export async function collectStyles(page: Page): Promise<StyleSnapshot> {
  try {
    const styles = await evaluateInIsolatedWorld(page, readStyles, undefined)
    const marks = await evaluateInIsolatedWorld(page, readBrandAssets, undefined)
    if (styles.length + marks.length > maxLength) throw new Error('the page says too much of its styles')
    return styleSnapshot.parse({ ...JSON.parse(styles), ...JSON.parse(marks) })
  } catch {
    const nothing = { width: 0, height: 0 }
    return {
      ...{ url: page.url(), viewport: nothing, page: nothing, isDarkCanvas: false },
      ...{ elements: [], variables: [], fontFaces: [], logos: [], organization: {} },
    }
  }
}

/** Answers JSON: an object of this size takes longer on its way than to collect. */
export const readStyles = pageScript(
  stylesOfPage,
  { heightsOf, themeColor, variables, variableColour, normalised },
  elementParts,
  measureParts,
)

/** Runs in the page. */
function stylesOfPage(): string {
  const root = document.documentElement
  const body = document.body ?? root
  const mainPart = document.querySelector('main, h1')
  const canvas = document.createElement('canvas').getContext('2d')
  const scheme = getComputedStyle(root).colorScheme
  const wantsDark = matchMedia('(prefers-color-scheme: dark)').matches
  const headers = heightsOf('header, [role="banner"], nav')
  const families = [...document.fonts].slice(0, 500).map(({ family }) => family.slice(0, 200))
  const styles: Omit<StyleSnapshot, keyof Marks> = {
    url: location.href,
    viewport: { width: innerWidth, height: innerHeight },
    page: { width: root.scrollWidth, height: root.scrollHeight },
    isDarkCanvas: scheme.includes('dark') && (wantsDark || !scheme.includes('light')),
    elements: samples({ root, body, mainPart, backgrounds: new Map() }),
    variables: variables(body, canvas),
    fontFaces: [...new Set(families)].slice(0, 60),
    themeColor: themeColor(canvas),
    headerHeight: headers.find(({ y, height }) => y < 150 && height < 400)?.height,
    footerHeight: heightsOf('footer, [role="contentinfo"]').at(-1)?.height,
  }
  return JSON.stringify(styles)
}

function heightsOf(selector: string) {
  const rectangles = [...document.querySelectorAll(selector)].slice(0, 50).map(rectangle)
  return rectangles.filter(({ height, width }) => height > 20 && width > innerWidth / 2)
}

/** Understands colours as the browser does. */
type Canvas = CanvasRenderingContext2D | null

/** Runs in the page. */
function themeColor(canvas: Canvas): string | undefined {
  const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color" i]')]
  const meant = metas.find(({ media }) => !media || matchMedia(media).matches)
  return meant && normalised(canvas, meant.content)
}

/** Runs in the page. */
function variables(body: Element, canvas: Canvas): StyleSnapshot['variables'] {
  const found: StyleSnapshot['variables'] = []
  // The body has what the root has, and what is set on itself.
  for (const [name, values] of body.computedStyleMap()) {
    if (found.length >= 600) break
    const value = name.startsWith('--') ? variableColour(canvas, String([...values][0]).trim()) : undefined
    if (value && name.length <= 200) found.push({ name, value })
  }
  return found
}

/** Some frameworks keep only the numbers of a colour, to be put into a function where it is used. */
function variableColour(canvas: Canvas, value: string): string | undefined {
  if (/^[\d.]+(?:deg)?\s+[\d.]+%\s+[\d.]+%$/.test(value)) return normalised(canvas, `hsl(${value})`)
  if (/^\d{1,3}(?:\s*,\s*|\s+)\d{1,3}(?:\s*,\s*|\s+)\d{1,3}$/.test(value)) {
    return normalised(canvas, `rgb(${value})`)
  }
  return /^(?:#|[a-z])/i.test(value) ? normalised(canvas, value) : undefined
}

/** A colour in the browser's own notation. Nothing for what is not a colour. */
function normalised(canvas: Canvas, value: string): string | undefined {
  if (!canvas || value.length > 100 || /currentcolor|inherit/i.test(value)) return undefined
  canvas.fillStyle = '#010203'
  canvas.fillStyle = value
  return canvas.fillStyle === '#010203' ? undefined : canvas.fillStyle
}
