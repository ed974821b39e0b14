import type { Document } from 'domhandler'
import { absoluteUrl, elementsOf } from './dom.ts'
import { destination } from './markdown/escape.ts'

/**
 * The Markdown of a page without the links that stand for its frames. What is framed is another page, and its address
 * often changes with every visit: neither is a change of this page.
 */
export function withoutFrameLinks(markdown: string, root: Document, base: string): string {
  const targets = frameTargets(root, base)
  if (targets.length === 0) return markdown
  const link = new RegExp(`\\[(?:[^[\\]\\\\]|\\\\.)*\\]\\((?:${targets.join('|')})\\)\\n{0,2}`, 'g')
  return markdown.replace(link, '').trimEnd()
}

/** More than any page made for people has. */
const mostFrames = 500

function frameTargets(root: Document, base: string): string[] {
  const targets = new Set<string>()
  for (const element of elementsOf(root)) {
    const url = element.name === 'iframe' ? absoluteUrl(element.attribs.src, base) : undefined
    if (url !== undefined && targets.size < mostFrames) targets.add(destination(url))
  }
  return [...targets].map((target) => target.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
}
