import type { StyleSnapshot } from '../../content/style-snapshot.ts'
import { pageScript } from '../page-script.ts'
import { logoParts } from './logos.ts'
import { measureParts } from './measures.ts'

export type Marks = Pick<
  StyleSnapshot,
  'logos' | 'organization' | 'siteName' | 'favicon' | 'touchIcon' | 'ogImage'
>

/** Logos and names, as JSON. */
export const readMarks = pageScript(
  marksOfPage,
  { meta, icon, organization, organizationIn },
  logoParts,
  measureParts,
)

declare const logos: typeof import('./logos.ts').logos
declare const absolute: typeof import('./logos.ts').absolute
declare const short: typeof import('./measures.ts').short

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
