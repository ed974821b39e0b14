import type { Page } from 'playwright-core'
import { type LogoCandidate, type StyleSnapshot, styleSnapshot } from '../../content/style-snapshot.ts'
import { evaluateInIsolatedWorld, pageScript } from '../page-script.ts'
import { elementParts, measureParts } from './elements.ts'

type BrandAssets = Pick<
  StyleSnapshot,
  'logos' | 'organization' | 'siteName' | 'favicon' | 'touchIcon' | 'ogImage'
>

export const readBrandAssets = pageScript(
  collectBrandAssets,
  { meta, icon, organization, organizationIn },
  { logos, candidateOf, isHomeLink, wordsOf, imageAddress, svgAddress, absolute },
  measureParts,
)

declare const samples: typeof import('./elements.ts').samples
declare const rectangle: typeof import('./elements.ts').rectangle
declare const short: typeof import('./elements.ts').short

/** Runs in the page. */
function collectBrandAssets(): string {
  const deadline = performance.now() + 100
  const siteName = meta('og:site_name', 'application-name')
  const favicon = icon('icon')
  const touchIcon = icon('apple-touch-icon')
  const ogImage = absolute(meta('og:image', 'og:image:url', 'twitter:image'))
  const found = { logos: logos(deadline), organization: organization() }
  const assets: BrandAssets = { ...found, siteName, favicon, touchIcon, ogImage }
  return JSON.stringify(assets)
}

function meta(...names: string[]): string | undefined {
  const found = names.map((name) => document.querySelector(`meta[property="${name}"], meta[name="${name}"]`))
  return found.map((element) => short(element?.getAttribute('content'), 2000)).find((content) => content)
}

/** SVG fits every size; otherwise the largest icon is used. */
function icon(relation: string): string | undefined {
  const links = [...document.querySelectorAll<HTMLLinkElement>(`link[rel~="${relation}" i][href]`)]
  const getSize = (link: HTMLLinkElement) =>
    /svg/.test(link.type + link.getAttribute('href')) ? 10_000 : Number.parseInt(link.sizes.value, 10) || 0
  return absolute(links.sort((a, b) => getSize(b) - getSize(a))[0]?.href)
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
      // Another block may be valid.
    }
  }
  return {}
}

function organizationIn(value: unknown, depth: number): Record<string, unknown> | undefined {
  if (typeof value !== 'object' || value === null || depth > 4) return undefined
  // A JSON object has named entries of unknown type.
  const entity = value as Record<string, unknown>
  const isOrganization = /organi[sz]ation|corporation|business|store|brand/i.test(String(entity['@type']))
  if (isOrganization && entity.logo) return entity
  const candidates = Array.isArray(value)
    ? value.slice(0, 100)
    : [entity['@graph'], entity.publisher, entity.mainEntity]
  return candidates.map((item) => organizationIn(item, depth + 1)).find((item) => item !== undefined)
}

function logos(deadline: number): LogoCandidate[] {
  const found: LogoCandidate[] = []
  const elements = document.querySelectorAll('img, svg, [class*="logo" i], [id*="logo" i]')
  for (const element of [...elements].slice(0, 400)) {
    if (found.length >= 40 || performance.now() > deadline) break
    const candidate = candidateOf(element)
    if (candidate) found.push(candidate)
  }
  return found
}

function candidateOf(element: Element): LogoCandidate | undefined {
  const rect = rectangle(element)
  if (rect.width < 12 || rect.height < 12 || element.parentElement?.closest('svg')) return undefined
  const link = element.closest('a[href]')
  // Shops and agencies also show the logos of other companies, in elements with these names.
  const words = ['client', 'customer', 'partner', 'sponsor', 'logos']
  const otherBrands = words.map((word) => `[class*="${word}" i]`).join()
  const isCalledLogo = /logo(?!ut)/i.test(wordsOf(element, link)) && !element.closest(otherBrands)
  const isInHomeLink = isHomeLink(link)
  const isInHeader = rect.y < 250 && element.closest('header, nav, [role="banner"]') !== null
  const isInHeaderBar = isInHeader && element.closest('button') === null
  if (!isCalledLogo && !isInHomeLink && !isInHeaderBar) return undefined
  const url = imageAddress(element)
  const label = element.getAttribute('alt') || element.getAttribute('aria-label')
  const title = element.querySelector('title')?.textContent || link?.getAttribute('aria-label')
  const alt = short(label || title, 200)
  return url ? { url, alt, rect, isInHeader, isInHomeLink, isCalledLogo } : undefined
}

function isHomeLink(link: Element | null): boolean {
  if (!(link instanceof HTMLAnchorElement)) return false
  const isSameHost = link.hostname.replace(/^www\./, '') === location.hostname.replace(/^www\./, '')
  return isSameHost && /^\/(?:[a-z]{2}(?:-[a-z]{2})?\/?|(?:index|home)(?:\.\w+)?\/?)?$/i.test(link.pathname)
}

function wordsOf(element: Element, link: Element | null): string {
  const elements = [element, element.parentElement, element.parentElement?.parentElement, link]
  const names = ['class', 'id', 'alt', 'src', 'aria-label', 'title']
  const words = elements.flatMap((ancestor) => names.map((name) => ancestor?.getAttribute(name) ?? ''))
  return words.filter((word) => !word.startsWith('data:')).join(' ')
}

function imageAddress(element: Element): string | undefined {
  if (element instanceof SVGElement) return svgAddress(element)
  const image = element instanceof HTMLImageElement ? element.currentSrc || element.src : ''
  const backgroundUrl = /url\("([^"]+)"\)/.exec(getComputedStyle(element).backgroundImage)?.[1]
  return absolute(image || backgroundUrl)
}

function svgAddress(svg: Element): string | undefined {
  if (svg.outerHTML.length > 20_000) return undefined
  // `cloneNode` of an element returns an element.
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
    const symbol = target.startsWith('#') ? document.getElementById(target.slice(1)) : null
    if (!symbol) return undefined
    clone.append(symbol.cloneNode(true))
  }
  for (const activeElement of clone.querySelectorAll('script, foreignObject')) activeElement.remove()
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

/** Longer than any valid result, because a page may return anything. */
const maxLength = 5_000_000

export async function collectStyles(page: Page): Promise<StyleSnapshot> {
  try {
    const styles = await evaluateInIsolatedWorld(page, readStyles, undefined)
    const assets = await evaluateInIsolatedWorld(page, readBrandAssets, undefined)
    if (styles.length + assets.length > maxLength) throw new Error('the page says too much of its styles')
    return styleSnapshot.parse({ ...JSON.parse(styles), ...JSON.parse(assets) })
  } catch {
    const emptySize = { width: 0, height: 0 }
    return {
      ...{ url: page.url(), viewport: emptySize, page: emptySize, isDarkCanvas: false },
      ...{ elements: [], variables: [], fontFaces: [], logos: [], organization: {} },
    }
  }
}

/** Returns JSON, because the transfer of an object of this size takes longer than collecting it. */
export const readStyles = pageScript(
  collectStyleSnapshot,
  { heightsOf, themeColor, variables, variableColour, normalised },
  elementParts,
  measureParts,
)

/** Runs in the page. */
function collectStyleSnapshot(): string {
  const root = document.documentElement
  const body = document.body ?? root
  const mainPart = document.querySelector('main, h1')
  const canvas = document.createElement('canvas').getContext('2d')
  const scheme = getComputedStyle(root).colorScheme
  const prefersDark = matchMedia('(prefers-color-scheme: dark)').matches
  const headers = heightsOf('header, [role="banner"], nav')
  const families = [...document.fonts].slice(0, 500).map(({ family }) => family.slice(0, 200))
  const styles: Omit<StyleSnapshot, keyof BrandAssets> = {
    url: location.href,
    viewport: { width: innerWidth, height: innerHeight },
    page: { width: root.scrollWidth, height: root.scrollHeight },
    isDarkCanvas: scheme.includes('dark') && (prefersDark || !scheme.includes('light')),
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

type Canvas = CanvasRenderingContext2D | null

function themeColor(canvas: Canvas): string | undefined {
  const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color" i]')]
  const matching = metas.find(({ media }) => !media || matchMedia(media).matches)
  return matching && normalised(canvas, matching.content)
}

function variables(body: Element, canvas: Canvas): StyleSnapshot['variables'] {
  const found: StyleSnapshot['variables'] = []
  // The body inherits the variables of the root, and may have its own.
  for (const [name, values] of body.computedStyleMap()) {
    if (found.length >= 600) break
    const value = name.startsWith('--') ? variableColour(canvas, String([...values][0]).trim()) : undefined
    if (value && name.length <= 200) found.push({ name, value })
  }
  return found
}

function variableColour(canvas: Canvas, value: string): string | undefined {
  if (/^[\d.]+(?:deg)?\s+[\d.]+%\s+[\d.]+%$/.test(value)) return normalised(canvas, `hsl(${value})`)
  if (/^\d{1,3}(?:\s*,\s*|\s+)\d{1,3}(?:\s*,\s*|\s+)\d{1,3}$/.test(value))
    return normalised(canvas, `rgb(${value})`)
  return /^(?:#|[a-z])/i.test(value) ? normalised(canvas, value) : undefined
}

function normalised(canvas: Canvas, value: string): string | undefined {
  if (!canvas || value.length > 100 || /currentcolor|inherit/i.test(value)) return undefined
  canvas.fillStyle = '#010203'
  canvas.fillStyle = value
  return canvas.fillStyle === '#010203' ? undefined : canvas.fillStyle
}
