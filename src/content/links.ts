import { absoluteUrl } from './addresses.ts'
import { attr, tag } from './tree/names.ts'
import { attribute, endOf, type Tree } from './tree/tree.ts'

/** The web addresses a page links to, absolute, each once, in document order. */
export function pageLinks(
  tree: Tree,
  { base, pageUrl = base, skipped }: { base: string; pageUrl?: string; skipped?: Uint8Array },
): string[] {
  const links = new Set<string>()
  const pages = [withoutFragment(pageUrl), withoutFragment(base)]
  for (let node = 1; node < tree.count; node = skipped?.[node] === 1 ? endOf(tree, node) : node + 1) {
    if (skipped?.[node] === 1) continue
    if (tree.tags[node] !== tag.a && tree.tags[node] !== tag.area) continue
    const url = absoluteUrl(attribute(tree, node, attr.href), base)
    if (url && /^https?:/.test(url) && !isPlaceOn(pages, url)) links.add(url)
  }
  return [...links]
}

/** Sites that are one page name their pages "#/path" or "#!path"; other fragments are places on a page. */
function isPlaceOn(pages: readonly string[], url: string): boolean {
  return url.includes('#') && pages.includes(withoutFragment(url)) && !/#[/!]/.test(url)
}

function withoutFragment(url: string): string {
  const fragment = url.indexOf('#')
  return fragment === -1 ? url : url.slice(0, fragment)
}
