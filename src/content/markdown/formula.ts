import { attr, tag } from '../tree/names.ts'
import { attribute, endOf, type Node, type Tree, textOf } from '../tree/tree.ts'
import { texAttribute } from './facts.ts'
import { texOfMathml } from './mathml.ts'

export interface Formula {
  text: string
  /** A formula of plain symbols is a text like others. */
  isTex: boolean
}

/** The formula an element shows, as TeX where the page has it. */
export function formula(tree: Tree, node: Node): Formula {
  const tex = texOf(tree, node)
  if (tex) return { text: clean(tex), isTex: true }
  const converted = tree.tags[node] === tag.math ? texOfMathml(tree, node) : ''
  if (/[\\^_{]/.test(converted)) return { text: converted, isTex: true }
  return { text: textOf(tree, node).replace(/\s+/g, ' ').trim(), isTex: false }
}

function texOf(tree: Tree, node: Node): string | undefined {
  const name = tree.tags[node]
  if (name === tag.script) return textOf(tree, node).trim()
  if (name !== tag.math) return texAttribute(tree, node)
  const end = endOf(tree, node)
  for (let at = node + 1; at < end; at += 1) {
    if (tree.tags[at] !== tag.annotation) continue
    if (/tex/i.test(attribute(tree, at, attr.encoding) ?? '')) return textOf(tree, at).trim()
  }
  return attribute(tree, node, attr.alttext)?.trim()
}

/** On one line, without what only asks for large symbols around all of it. */
function clean(tex: string): string {
  const line = tex
    .replace(/^%.*$/gm, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/^(?:\\\(|\\\[|\$\$?)(.*?)(?:\\\)|\\\]|\$\$?)$/, '$1')
    .trim()
  return line.match(/^\{\\displaystyle (.*)\}$/)?.[1]?.trim() ?? line
}
