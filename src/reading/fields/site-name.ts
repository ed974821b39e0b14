import type { PageMetadata } from '../../content/metadata.ts'
import type { Lines } from './lines.ts'

export interface SiteName {
  name: string
  score: number
}

const separators = /\s+[|–—·•»:›-]\s+|\s*\|\s*/
const stated = ['ogSiteName', 'application-name', 'apple-mobile-web-app-title', 'twitter:app:name:iphone']

/** The name of the site: stated, or what its title or its copyright names and its address holds. */
export function siteName(metadata: PageMetadata, url: string, lines: Lines): SiteName | undefined {
  for (const key of stated) {
    const said = metadata[key]
    if (typeof said === 'string' && said.trim() !== '') return { name: said.trim(), score: 0.66 }
  }
  const host = hostName(url)
  const parts = String(metadata.title ?? '')
    .split(separators)
    .map((part) => part.trim())
    .filter(Boolean)
  const named = [...[...parts].reverse(), ...owners(lines)]
  const ofHost = named.find((part) => isOfHost(part, host))
  if (ofHost !== undefined) return { name: ofHost, score: 0.63 }
  const [owner] = owners(lines)
  const last = parts.length > 1 ? parts.at(-1) : undefined
  const name = owner ?? last
  return name === undefined ? undefined : { name, score: 0.4 }
}

/** The part of a host that is its name: `shop` of `www.shop.co.uk`. */
function hostName(url: string): string {
  const labels = (URL.parse(url)?.hostname ?? '').replace(/^www\./, '').split('.')
  return plain(
    labels.length > 2 && (labels.at(-2)?.length ?? 0) <= 3 ? (labels.at(-3) ?? '') : (labels.at(-2) ?? ''),
  )
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .normalize('NFKD')
    .replace(/[^\p{L}\p{N}]/gu, '')
}

function isOfHost(part: string, host: string): boolean {
  const own = plain(part).replace(/(?:com|net|org)$/, '')
  return own.length >= 3 && host.length >= 3 && (host.includes(own) || own.includes(host))
}

const copyright =
  /(?:©|\(c\)|copyright)[\s©]*(?:\(c\)\s*)?(?:\d{4}\s*(?:[-–]\s*\d{4})?[\s,]*)?(?:by\s+)?(\p{L}[^.,|·•©\d]{1,50})/iu

/** Whom the lines at the end of the page name as the owner. */
function owners({ list }: Lines): string[] {
  return list.slice(-60).flatMap(({ text }) => {
    const [, owner] = text.length < 300 ? (copyright.exec(text) ?? []) : []
    const name = owner
      ?.replace(/\s*(?:all rights|alle rechte|tous droits|todos los|tutti i|inc|ltd|llc|gmbh).*$/i, '')
      .trim()
    return name ? [name] : []
  })
}

/** A title without the name of the site at its end or its beginning. */
export function withoutSite(title: string, site: string | undefined): string {
  if (!site) return title
  const parts = title.split(separators).filter(Boolean)
  const isSite = (part: string | undefined) => part?.trim().toLowerCase() === site.toLowerCase()
  const [from, to] = [isSite(parts[0]) ? 1 : 0, isSite(parts.at(-1)) ? parts.length - 1 : parts.length]
  const [first, last] = [parts[from], parts[to - 1]]
  if (first === undefined || last === undefined || to <= from) return title
  return title.slice(title.indexOf(first), title.lastIndexOf(last) + last.length).trim()
}
