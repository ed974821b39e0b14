import { type ChildNode, type Document, type Element, hasChildren, isTag, isText } from 'domhandler'
import { elementsOf, nodesOf, type Parts } from './dom.ts'

/**
 * The part of a page that is not navigation, header, footer or sidebar. Never empty for a page that has text.
 */
export function mainContent(root: Document): Parts {
  const lengths = textLengths(root)
  const total = lengths.get(root) ?? 0
  const main = onlyMain(root)
  const kept = main ? [main] : root.children
  const isLarge = (element: Element) => (lengths.get(element) ?? 0) > total * 0.4
  const dropped = main ? new Set<Element>() : surroundings(root, isLarge)

  let left = main ? (lengths.get(main) ?? 0) : total
  for (const element of dropped) left -= lengths.get(element) ?? 0
  const isTooLittle = left < total * 0.1 || (left < 200 && left < total * 0.5)
  return isTooLittle ? { kept: root.children, dropped: new Set() } : { kept, dropped }
}

/** How many characters of visible text lie below each node that has any. */
function textLengths(root: Document): Map<ChildNode, number> {
  const lengths = new Map<ChildNode, number>()
  const order = [...nodesOf(root)]
  for (const node of order.reverse()) {
    const own = isText(node) ? node.data.replace(/\s+/g, ' ').trim().length : (lengths.get(node) ?? 0)
    if (own === 0 || (isTag(node) && invisible.has(node.name))) continue
    lengths.set(node, own)
    const parent = node.parent
    if (parent) lengths.set(parent, (lengths.get(parent) ?? 0) + own)
  }
  return lengths
}

const invisible = new Set(['head', 'script', 'style', 'noscript', 'template', 'svg'])

function onlyMain(root: Document): Element | undefined {
  let found: Element | undefined
  for (const element of elementsOf(root)) {
    if (element.name !== 'main' && element.attribs.role !== 'main') continue
    if (found && !isInside(element, found)) return undefined
    found ??= element
  }
  return found
}

function isInside(element: Element, ancestor: Element): boolean {
  let parent = element.parent
  while (parent && parent !== ancestor) parent = parent.parent
  return parent === ancestor
}

/**
 * Outermost elements around the content. One that holds much of the text is content, whatever it is called.
 */
function surroundings(root: Document, isLarge: (element: Element) => boolean): Set<Element> {
  const found = new Set<Element>()
  const waiting: (Document | Element)[] = [root]
  for (let parent = waiting.pop(); parent; parent = waiting.pop()) {
    for (const child of parent.children) {
      if (!isTag(child) || child.name === 'article' || isMain(child)) continue
      if (isSurrounding(child) && !isLarge(child)) found.add(child)
      else if (hasChildren(child)) waiting.push(child)
    }
  }
  return found
}

const isMain = (element: Element) => element.name === 'main' || element.attribs.role === 'main'

const surroundingNames = new Set(['header', 'footer', 'nav', 'aside'])
const surroundingRoles = new Set(['banner', 'complementary', 'contentinfo', 'navigation', 'search'])
const surroundingNouns =
  'nav|navbar|navigation|menu|sidebar|breadcrumbs?|footer|masthead|cookies?|newsletter|social|share|' +
  'advert(?:isement)?s?|ads?|modal|popup|skip-link'
const surroundingWords = new RegExp(`(?:^|[\\s_-])(?:${surroundingNouns})(?:$|[\\s_-])`, 'i')

function isSurrounding(element: Element): boolean {
  const { role, id, class: classes, style, hidden } = element.attribs
  if (surroundingNames.has(element.name) || surroundingRoles.has(role ?? '')) return true
  if (hidden !== undefined || /display\s*:\s*none/i.test(style ?? '')) return true
  if (element.name === 'html' || element.name === 'body') return false
  return surroundingWords.test(id ?? '') || surroundingWords.test(classes ?? '')
}
