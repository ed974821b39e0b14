import { absoluteUrl } from './addresses.ts'
import { destination } from './markdown/escape.ts'
import { attr, tag } from './tree/names.ts'
import { attribute, endOf, type Tree } from './tree/tree.ts'

export function pageLinks(
  tree: Tree,
  { base, pageUrl = base, skipped }: { base: string; pageUrl?: string; skipped?: Uint8Array },
): string[] {
  const links = new Set<string>()
  const pages = [withoutFragment(pageUrl), withoutFragment(base)]
  for (let node = 1; node < tree.count; node = skipped?.[node] === 1 ? endOf(tree, node) : node + 1) {
    if (skipped?.[node] === 1 || (tree.tags[node] !== tag.a && tree.tags[node] !== tag.area)) continue
    const url = absoluteUrl(attribute(tree, node, attr.href), base)
    if (!url || !/^https?:/.test(url)) continue
    // "#/path" and "#!path" are routes of single-page apps, not fragments.
    const isFragment = url.includes('#') && pages.includes(withoutFragment(url)) && !/#[/!]/.test(url)
    if (!isFragment) links.add(url)
  }
  return [...links]
}

const withoutFragment = (url: string) => url.split('#', 1)[0]

/** Removes links to frames: a frame shows another page, and its URL often changes with every visit. */
export function withoutFrameLinks(markdown: string, tree: Tree, base: string): string {
  const targets = findFrameTargets(tree, base)
  if (targets.length === 0) return markdown
  const link = new RegExp(`\\[(?:[^[\\]\\\\]|\\\\.)*\\]\\((?:${targets.join('|')})\\)\\n{0,2}`, 'g')
  return markdown.replace(link, '').trimEnd()
}

const maxFrames = 500

function findFrameTargets(tree: Tree, base: string): string[] {
  const targets = new Set<string>()
  for (let node = 1; node < tree.count && targets.size < maxFrames; node += 1) {
    if (tree.tags[node] !== tag.iframe) continue
    const url = absoluteUrl(attribute(tree, node, attr.src), base)
    if (url !== undefined) targets.add(destination(url))
  }
  return [...targets].map((target) => target.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
}
