import { attr, tag } from '../../content/tree/names.ts'
import { attribute, endOf, isText, type Node, tagOf } from '../../content/tree/tree.ts'
import { words } from '../vocabulary/words.ts'
import type { Lines } from './lines.ts'
import { shownText } from './shown-text.ts'

/** The heading without what the title of the page does not name: "The Salt Road" and then "Hardcover, 2020". */
export function headingText({ tree, list, before }: Lines, heading: Node, title: string): string {
  const line = list[before[heading] ?? list.length]
  const whole = shownText(tree, heading)
  if (!line || line.holder !== heading || line.segments.length < 2) return whole
  const told = new Set(words(title))
  const share = (text: string) => {
    const own = words(text)
    return own.filter((word) => told.has(word)).length / Math.max(1, own.length)
  }
  const [first = '', ...rest] = line.segments
  return share(first) > 0.9 && words(first).length > 1 && rest.every((part) => share(part) < 0.3)
    ? first
    : whole
}

/** What is written below the first picture of the content. */
export function firstCaption({ tree, weights }: Lines): string | undefined {
  for (let node = 1; node < tree.count; node += 1)
    if (!isText(tree, node) && tagOf(tree, node) === tag.figcaption && (weights[node] ?? 1) > 0.6)
      return shownText(tree, node)
  return undefined
}

/** The section that a page is in: the last of the way that leads to it. */
export function sectionAbove(lines: Lines, heading: Node | undefined): string | undefined {
  const { tree } = lines
  const way = wayTo(lines)
  const title = heading === undefined ? '' : shownText(tree, heading)
  const last = way.filter((text) => text !== title).at(-1)
  // The first of the way is the site.
  if (way.length > 1 && last !== undefined && last !== way[0]) return last
  return undefined
}

const mostNodes = 400

/** The links of the way from the first page of the site to this one. */
function wayTo({ tree }: Lines): string[] {
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node)) continue
    const called = `${attribute(tree, node, attr.class) ?? ''} ${attribute(tree, node, attr.id) ?? ''} ${attribute(tree, node, attr['aria-label']) ?? ''}`
    if (!/bread-?crumb/i.test(called)) continue
    const links: string[] = []
    for (let at = node + 1; at < Math.min(endOf(tree, node), node + mostNodes); at += 1)
      if (!isText(tree, at) && tagOf(tree, at) === tag.a) links.push(shownText(tree, at))
    if (links.length > 0) return links.filter((text) => text !== '' && text.length < 60)
  }
  return []
}
