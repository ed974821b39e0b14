import type { Content } from '../content/content.ts'
import { pageLinks } from '../content/links.ts'
import { type SiteLinks, siteLinks } from '../content/site-links.ts'

/** Where a page leads to, for a crawl. */
export interface PageLinks extends Pick<SiteLinks, 'next' | 'canonical'> {
  links: string[]
}

/** A page that names more is not made for readers. */
const mostLinks = 10_000

export function linksToFollow(content: Content, url: string): PageLinks {
  const { next, canonical } = headOf(content, url)
  // Those in what is not shown to readers as well: a crawl loses no page by it.
  const links = pageLinks(content.tree(), { base: content.base(), pageUrl: url })
  return { next, canonical, links: links.slice(0, mostLinks) }
}

/** What the head of a page says of others: its links are not among those for people. */
function headOf(content: Content, url: string): SiteLinks {
  const html = content.rawHtml().slice(0, 100_000)
  const end = html.search(/<\/head|<body/i)
  return siteLinks(end < 0 ? html : html.slice(0, end), url)
}
