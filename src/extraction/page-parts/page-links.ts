import type { Content } from '../../content/content.ts'
import { pageLinks } from '../../content/links.ts'
import { readHeadRelations, type SiteLinks } from '../../content/site/site-links.ts'
import { tagSet } from '../../content/tree/names.ts'
import { endOf, root, type Tree, tagOf, textAt } from '../../content/tree/tree.ts'
import { digest } from '../../platform/text.ts'
import { hashRoute } from '../../platform/url.ts'

export interface PageLinks extends Pick<SiteLinks, 'next' | 'canonical'> {
  links: string[]
  /** Digest of the visible text, if URL fragments may be routes. */
  shown?: string
}

const maxLinks = 10_000

export function linksToFollow(content: Content, url: string): PageLinks {
  const { next, canonical } = readHeadRelations(content.tree(), content.base())
  // Links in hidden parts are included, so that a crawl misses no page.
  const links = pageLinks(content.tree(), { base: content.base(), pageUrl: url })
  const isRoutedPage = isRouted(url) || links.some(isRouted)
  return {
    ...{ next, canonical, links: links.slice(0, maxLinks) },
    ...(isRoutedPage && { shown: digest(visibleTexts(content.tree())) }),
  }
}

const isRouted = (url: string) => url.includes('#') && hashRoute(new URL(url)) !== undefined

const hiddenTags = tagSet('head noscript script style template')

function* visibleTexts(tree: Tree): Generator<string> {
  for (let node = root + 1; node < tree.count; ) {
    const id = tagOf(tree, node)
    // Whitespace differs between engines.
    if (id === 0) yield textAt(tree, node).replace(/\s+/g, '')
    node = hiddenTags[id] === 1 ? endOf(tree, node) : node + 1
  }
}
