import { absoluteUrl } from './addresses.ts'
import { destination } from './markdown/escape.ts'
import { attr, tag } from './tree/names.ts'
import { attribute, type Tree } from './tree/tree.ts'

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
const mostFrames = 500

function frameTargets(tree: Tree, base: string): string[] {
  const targets = new Set<string>()
  for (let node = 1; node < tree.count && targets.size < mostFrames; node += 1) {
    if (tree.tags[node] !== tag.iframe) continue
    const url = absoluteUrl(attribute(tree, node, attr.src), base)
    if (url !== undefined) targets.add(destination(url))
  }
  return [...targets].map((target) => target.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
}
