import { type ChildNode, type Element, isTag, isText, type ParentNode } from 'domhandler'
import { elementsOf } from '../dom.ts'

const words = (text: string) => new Set(text.trim().split(/\s+/))

const blockNames = words(`
  address article aside blockquote body caption center dd details dialog dir div dl dt fieldset figcaption
  figure footer form frameset h1 h2 h3 h4 h5 h6 header hgroup hr html iframe legend li listing main menu nav
  ol p pre search section summary table tbody td tfoot th thead tr ul xmp
`)

const silentNames = words(`
  area audio base canvas col colgroup datalist embed frame head link meta meter noembed noframes noscript
  object optgroup option param progress rp script select source style svg template textarea title track video
`)

export const isHeading = (element: Element) => /^h[1-6]$/.test(element.name)

/** Which elements stand on lines of their own, and which hold a table: answers prepared in one pass. */
export interface Layout {
  isBlock(node: ChildNode): boolean
  holdsTable(element: Element): boolean
}

export function readLayout(root: ParentNode): Layout {
  const holdsBlock = new Set<ParentNode>()
  const holdsTable = new Set<ParentNode>()
  for (const element of elementsOf(root)) {
    if (blockNames.has(element.name)) addAncestors(holdsBlock, element)
    if (element.name === 'table') addAncestors(holdsTable, element)
  }
  return {
    isBlock: (node) => isTag(node) && (blockNames.has(node.name) || holdsBlock.has(node)),
    holdsTable: (element) => holdsTable.has(element),
  }
}

function addAncestors(found: Set<ParentNode>, element: Element): void {
  for (let parent = element.parent; parent && !found.has(parent); parent = parent.parent) found.add(parent)
}

/** Nodes that say nothing in Markdown: code, controls, drawings, line numbers, the edit links of a wiki. */
export function isSilent(node: ChildNode): boolean {
  if (isText(node)) return false
  if (!isTag(node) || silentNames.has(node.name)) return true
  const { class: classes, type } = node.attribs
  if (node.name === 'input') return type?.toLowerCase() !== 'checkbox'
  return classes !== undefined && silentClasses.test(classes) && node.name !== 'pre' && node.name !== 'code'
}

// The last two: a formula that is also there as MathML, in a form only a browser can show.
const silentClassNames =
  'gutter|linenos?|line-?number|line-numbers-rows|blob-num|hljs-ln-numbers|rouge-gutter|' +
  'react-syntax-highlighter-line-number|mw-editsection|katex-html|mwe-math-fallback-image-\\w+'
const silentClasses = new RegExp(`(?:^|\\s)(?:${silentClassNames})(?:\\s|$)`, 'i')
