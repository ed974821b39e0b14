import { jsonFile } from '../../platform/json/json.ts'
import {
  attributeNamed,
  endOf,
  type Node,
  nextSibling,
  none,
  type Tree,
  tagName,
  textOf,
} from '../tree/tree.ts'

/** TeX for a formula that the page has only as MathML: the elements that pages use, others as their content. */
export function mathmlToTex(tree: Tree, math: Node): string {
  return row(tree, math).replace(/\s+/g, ' ').trim()
}

// The parser bounds the depth of a tree, so recursion is safe here.
function row(tree: Tree, parent: Node): string {
  let tex = ''
  let isAfterCommand = false
  for (const child of childrenOf(tree, parent)) {
    const part = term(tree, child)
    // A command would swallow the letter behind it.
    tex += isAfterCommand && /^[a-z]/i.test(part) ? ` ${part}` : part
    isAfterCommand = /^\\[a-z]+$/i.test(part)
  }
  return tex
}

function childrenOf(tree: Tree, parent: Node): Node[] {
  const children: Node[] = []
  const first = parent + 1 < endOf(tree, parent) ? parent + 1 : none
  for (let at = first; at !== none; at = nextSibling(tree, at)) if (tree.tags[at] !== 0) children.push(at)
  return children
}

function term(tree: Tree, node: Node): string {
  const name = tagName(tree, node)
  const structure = structures[name]
  // Each part is written once: twice per level would take exponential time in a deep formula.
  if (structure) {
    const [first, second, third] = childrenOf(tree, node).slice(0, 3)
    const part = (child: Node | undefined) => (child === undefined ? '' : term(tree, child))
    return structure(part(first), part(second), part(third))
  }
  switch (name) {
    case 'mi':
      return texName(textOf(tree, node).trim())
    case 'mn':
    case 'mo':
      return texSymbols(textOf(tree, node).trim())
    case 'mtext':
    case 'ms':
      return `\\text{${textOf(tree, node).replace(/\s+/g, ' ')}}`
    case 'mspace':
      return ' '
    case 'msqrt':
      return `\\sqrt{${row(tree, node)}}`
    case 'mfenced':
      return fenced(tree, node)
    case 'mtable':
      return table(tree, node)
    case 'annotation':
    case 'annotation-xml':
    case 'mphantom':
      return ''
    default:
      return row(tree, node)
  }
}

type Structure = (first: string, second: string, third: string) => string

const above: Structure = (under, over) =>
  Object.hasOwn(tex().accents, over) ? `${tex().accents[over]}{${under}}` : `${base(under)}^{${over}}`

const below: Structure = (over, under) => `${base(over)}_{${under}}`

const around: Structure = (middle, under, over) => `${base(middle)}_{${under}}^{${over}}`

const structures: Record<string, Structure> = {
  mfrac: (over, under) => `\\frac{${over}}{${under}}`,
  mroot: (inside, index) => `\\sqrt[${index}]{${inside}}`,
  msup: above,
  mover: above,
  msub: below,
  munder: below,
  msubsup: around,
  munderover: around,
  semantics: (formula) => formula,
}

function table(tree: Tree, node: Node): string {
  const lines = childrenOf(tree, node).map((line) => cells(tree, line))
  return `\\begin{matrix}${lines.join(' \\\\ ')}\\end{matrix}`
}

function base(tex: string): string {
  const bare = tex.trim()
  return /^(?:\\[a-z]+|.)$/iu.test(bare) || bare === '' ? bare : `{${bare}}`
}

function cells(tree: Tree, line: Node): string {
  return childrenOf(tree, line)
    .map((cell) => row(tree, cell))
    .join(' & ')
}

function fenced(tree: Tree, node: Node): string {
  const open = attributeNamed(tree, node, 'open') ?? '('
  const close = attributeNamed(tree, node, 'close') ?? ')'
  const inside = childrenOf(tree, node).map((part) => term(tree, part))
  return `\\left${texSymbols(open) || '.'}${inside.join(', ')}\\right${texSymbols(close) || '.'}`
}

const functions =
  /^(?:arccos|arcsin|arctan|arg|cos|cosh|cot|csc|deg|det|dim|exp|gcd|hom|inf|ker|lg|lim|ln|log|max|min|Pr|sec|sin|sinh|sup|tan|tanh)$/

/** A name in TeX: of a function, of several letters, or of one. */
export function texName(name: string): string {
  if (functions.test(name)) return `\\${name} `
  return [...name].length > 1 ? `\\mathrm{${texSymbols(name)}}` : texSymbols(name)
}

export interface TexCommands {
  accents: Record<string, string>
  /** Signs that TeX writes as commands; all others stand for themselves. */
  signs: Record<string, string>
}

const tex = jsonFile<TexCommands>(new URL('./tex-commands.json', import.meta.url))

export function texSymbols(text: string): string {
  let written = ''
  for (const sign of text) written += tex().signs[sign] ?? sign
  return written
}
