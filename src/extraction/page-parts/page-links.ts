import type { Content } from '../../content/content.ts'
import { pageLinks } from '../../content/links.ts'
import { headRelations, type SiteLinks } from '../../content/site/site-links.ts'
import { tagSet } from '../../content/tree/names.ts'
import { endOf, root, type Tree, tagOf, textAt } from '../../content/tree/tree.ts'
import { digest } from '../../platform/text.ts'
import { hashRoute } from '../../platform/url.ts'

/** Where a page leads to, for a crawl. */
export interface PageLinks extends Pick<SiteLinks, 'next' | 'canonical'> {
  links: string[]
  /** A digest of the shown page, if fragments may name other pages: routes that show the same are one page. */
  shown?: string
}

/** A page that names more is not made for readers. */
const maxLinks = 10_000

export function linksToFollow(content: Content, url: string): PageLinks {
  const { next, canonical } = headRelations(content.tree(), content.base())
  // Including links in hidden parts, so that a crawl misses no page.
  const links = pageLinks(content.tree(), { base: content.base(), pageUrl: url })
  const followed = { next, canonical, links: links.slice(0, maxLinks) }
  return isRouted(url) || links.some(isRouted)
    ? { ...followed, shown: digest(shownTexts(content.tree())) }
    : followed
}

const isRouted = (url: string) => url.includes('#') && hashRoute(new URL(url)) !== undefined

const unshown = tagSet('head noscript script style template')

function* shownTexts(tree: Tree): Generator<string> {
  for (let node = root + 1; node < tree.count; ) {
    const id = tagOf(tree, node)
    // Engines differ in the whitespace between elements.
    if (id === 0) yield textAt(tree, node).replace(/\s+/g, '')
    node = unshown[id] === 1 ? endOf(tree, node) : node + 1
  }
}
