import { absoluteUrl } from './addresses.ts'
import { destination } from './markdown/escape.ts'
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

/**
 * The Markdown of a page without the links that stand for its frames. What is framed is another page, and its address
 * often changes with every visit: neither is a change of this page.
 */
export function withoutFrameLinks(markdown: string, tree: Tree, base: string): string {
  const targets = frameTargets(tree, base)
  if (targets.length === 0) return markdown
  const link = new RegExp(`\\[(?:[^[\\]\\\\]|\\\\.)*\\]\\((?:${targets.join('|')})\\)\\n{0,2}`, 'g')
  return markdown.replace(link, '').trimEnd()
}

/** More than any page made for people has. */
const maxFrames = 500

function frameTargets(tree: Tree, base: string): string[] {
  const targets = new Set<string>()
  for (let node = 1; node < tree.count && targets.size < maxFrames; node += 1) {
    if (tree.tags[node] !== tag.iframe) continue
    const url = absoluteUrl(attribute(tree, node, attr.src), base)
    if (url !== undefined) targets.add(destination(url))
  }
  return [...targets].map((target) => target.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
}
