import { parseHtml } from '../src/content/tree/parse.ts'
import { voidElements } from '../src/content/tree/rules.ts'
import {
  attributesOf,
  endOf,
  isText,
  type Node,
  root,
  type Tree,
  tagName,
  tagOf,
  textAt,
} from '../src/content/tree/tree.ts'

/** Serializes a tree without changes, so that a test can check the repairs of the parser. */
export function written(tree: Tree, parent: Node = root): string {
  let html = ''
  for (let node = parent + 1; node < endOf(tree, parent); node = endOf(tree, node)) {
    html += isText(tree, node) ? textAt(tree, node) : serializeElement(tree, node)
  }
  return html
}

function serializeElement(tree: Tree, node: Node): string {
  const attributes = [...attributesOf(tree, node)].map(([name, value]) => ` ${name}="${value}"`)
  const start = `<${tagName(tree, node)}${attributes.join('')}>`
  return voidElements[tagOf(tree, node)] === 1
    ? start
    : `${start}${written(tree, node)}</${tagName(tree, node)}>`
}

export const repaired = (html: string) => written(parseHtml(html))
