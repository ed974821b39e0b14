import { Parser } from 'htmlparser2'

export interface SiteLink {
  url: string
  /** What the link says. */
  text: string
}

/** What a page says of other pages of its site, and of itself. */
export interface SiteLinks {
  links: SiteLink[]
  /** The next page of a list. */
  next: string | undefined
  /** The address that the page wants to be known by. */
  canonical: string | undefined
  feeds: string[]
  title: string | undefined
  description: string | undefined
}

const mostLinks = 10_000
const longestText = 200

/** Reads the links of a page in one pass, without building a tree of it: for pages that are read for nothing else. */
export function siteLinks(html: string, pageUrl: string): SiteLinks {
  const found: SiteLinks = {
    ...{ links: [], feeds: [], next: undefined, canonical: undefined },
    ...{ title: undefined, description: undefined },
  }
  const byUrl = new Map<string, SiteLink>()
  let base = pageUrl
  let hasBase = false
  let open: SiteLink | undefined
  let title: string | undefined
  const resolve = (href: string | undefined) => webUrl(href, base)

  function openLink(attributes: Record<string, string>): void {
    const url = resolve(attributes.href)
    if (url === undefined) return
    const known = byUrl.get(url)
    // The first text of a link is the best one; a picture before it may have had none.
    open = known ?? { url, text: '' }
    if (known && known.text !== '') open = undefined
    if (!known && open && byUrl.size < mostLinks) byUrl.set(url, open)
    if (hasWord(attributes.rel, 'next')) found.next ??= url
  }

  function readLinkTag({ rel, href, type }: Record<string, string>): void {
    const url = resolve(href)
    if (url === undefined) return
    if (hasWord(rel, 'canonical')) found.canonical ??= url
    if (hasWord(rel, 'next')) found.next ??= url
    if (
      hasWord(rel, 'alternate') &&
      /^application\/(?:rss|atom)\+xml/i.test(type ?? '') &&
      found.feeds.length < 20
    ) {
      found.feeds.push(url)
    }
  }

  const parser = new Parser(
    {
      onopentag(name, attributes) {
        if (name === 'a' || name === 'area') openLink(attributes)
        else if (name === 'link') readLinkTag(attributes)
        else if (name === 'title' && found.title === undefined) title = ''
        else if (name === 'img' && open && open.text === '') open.text = clean(attributes.alt ?? '')
        else if (
          name === 'meta' &&
          /^(?:og:)?description$/i.test(attributes.name ?? attributes.property ?? '')
        ) {
          found.description ??= clean(attributes.content ?? '') || undefined
        } else if (name === 'base' && !hasBase && attributes.href !== undefined) {
          hasBase = true
          base = webUrl(attributes.href, pageUrl) ?? base
        }
      },
      ontext(text) {
        if (title !== undefined && title.length < longestText) title += text
        if (open && open.text.length < longestText) open.text += text
      },
      onclosetag(name) {
        if (name === 'a' && open) {
          open.text = clean(open.text)
          open = undefined
        } else if (name === 'title' && title !== undefined) {
          found.title = clean(title) || undefined
          title = undefined
        }
      },
    },
    { decodeEntities: true },
  )
  parser.write(html)
  parser.end()
  found.links = [...byUrl.values()]
  return found
}

function webUrl(href: string | undefined, base: string): string | undefined {
  const trimmed = href?.trim()
  if (!trimmed || trimmed.startsWith('#')) return undefined
  const url = URL.parse(trimmed, base)
  return url && /^https?:$/.test(url.protocol) ? url.href : undefined
}

function hasWord(list: string | undefined, word: string): boolean {
  return list?.toLowerCase().split(/\s+/).includes(word) ?? false
}

function clean(text: string): string {
  return text.replace(/\s+/g, ' ').trim().slice(0, longestText)
}
