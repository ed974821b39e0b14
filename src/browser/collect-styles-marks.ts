import type { LogoCandidate, StyleSnapshot } from '../content/style-snapshot.ts'

export type Marks = Pick<
  StyleSnapshot,
  'logos' | 'organization' | 'siteName' | 'favicon' | 'touchIcon' | 'ogImage'
>

/** Logos and names, as JSON. Runs in the page, so it can use nothing from outside itself. */
export function readMarks(): string {
  const ends = performance.now() + 100
  const short = (text: string | null | undefined, most: number) =>
    (text ?? '')
      .slice(0, most * 5)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, most)

  function rectangle(element: Element) {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + scrollX, y: y + scrollY, width, height }
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

  function imageAddress(element: Element): string | undefined {
    if (element instanceof SVGElement) return svgAddress(element)
    const image = element instanceof HTMLImageElement ? element.currentSrc || element.src : ''
    const painted = /url\("([^"]+)"\)/.exec(getComputedStyle(element).backgroundImage)?.[1]
    return absolute(image || painted)
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

  function logos(): LogoCandidate[] {
    const found: LogoCandidate[] = []
    const elements = document.querySelectorAll('img, svg, [class*="logo" i], [id*="logo" i]')
    for (const element of [...elements].slice(0, 400)) {
      if (found.length >= 40 || performance.now() > ends) break
      const candidate = candidateOf(element)
      if (candidate) found.push(candidate)
    }
    return found
  }

  function absolute(address: string | null | undefined): string | undefined {
    const url = address ? URL.parse(address, document.baseURI) : null
    return url && /^(?:https?|data):$/.test(url.protocol) && url.href.length < 30_000 ? url.href : undefined
  }

  function meta(...names: string[]): string | undefined {
    const found = names.map((name) =>
      document.querySelector(`meta[property="${name}"], meta[name="${name}"]`),
    )
    return found.map((element) => short(element?.getAttribute('content'), 2000)).find((content) => content)
  }

  /** A drawing serves every size; otherwise the largest. */
  function icon(relation: string): string | undefined {
    const links = [...document.querySelectorAll<HTMLLinkElement>(`link[rel~="${relation}" i][href]`)]
    const sizeOf = (link: HTMLLinkElement) =>
      /svg/.test(link.type + link.getAttribute('href')) ? 10_000 : Number.parseInt(link.sizes.value, 10) || 0
    return absolute(links.sort((a, b) => sizeOf(b) - sizeOf(a))[0]?.href)
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

  const siteName = meta('og:site_name', 'application-name')
  const favicon = icon('icon')
  const touchIcon = icon('apple-touch-icon')
  const ogImage = absolute(meta('og:image', 'og:image:url', 'twitter:image'))
  const marks: Marks = { logos: logos(), organization: organization(), siteName, favicon, touchIcon, ogImage }
  return JSON.stringify(marks)
}
