import { attributeNamed, classOf, endOf, type Node, none, type Tree, textOf } from '../tree/tree.ts'
import { writeBlock } from './block-writer.ts'
import { escapeText, plainSurroundings } from './escape.ts'
import { collapsed } from './scan.ts'
import type { Writer } from './writer.ts'

/** Below the groups of operations, which pages give the third level. */
const operationMark = '####'

/**
 * The head of an operation of an API, which a page shows as a row of badges: method and path as a heading, what
 * it does below them. False for one without a method or a path.
 */
export function writeOperation({ tree, output }: Writer, node: Node): boolean {
  const method = partNamed(tree, node, 'method')
  const path = partNamed(tree, node, 'path')
  if (method === none || path === none) return false
  const address = attributeNamed(tree, path, 'data-path') ?? textOf(tree, path)
  const heading = `${plain(textOf(tree, method))} ${plain(address)}`
  writeBlock(output, `${operationMark} ${heading}`)
  const description = partNamed(tree, node, 'description')
  const words = description === none ? '' : plain(textOf(tree, description))
  if (words !== '') writeBlock(output, words)
  return true
}

const plain = (text: string) => escapeText(collapsed(text).trim(), plainSurroundings)

/** More nodes than the head of an operation has. */
const mostNodes = 200

function partNamed(tree: Tree, node: Node, name: string): Node {
  const end = Math.min(endOf(tree, node), node + mostNodes)
  for (let at = node + 1; at < end; at += 1) {
    const classes = tree.tags[at] === 0 ? undefined : classOf(tree, at)
    if (classes?.split(/\s+/).includes(`opblock-summary-${name}`)) return at
  }
  return none
}
