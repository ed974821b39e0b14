import { jsonFile } from '../../platform/json/json.ts'
import { attributeNamed, childrenOf, type Node, type Tree, tagName, textOf } from '../tree/tree.ts'

/** Supports the elements that pages use; others are replaced by their content. */
export const mathmlToTex = (tree: Tree, math: Node) => writeRow(tree, math).replace(/\s+/g, ' ').trim()

// The parser bounds the depth of a tree, so recursion is safe.
function writeRow(tree: Tree, parent: Node): string {
  let tex = ''
  let isAfterCommand = false
  for (const child of getChildren(tree, parent)) {
    const part = writeTerm(tree, child)
    // Without a space, the next letter would become part of the command.
    tex += isAfterCommand && /^[a-z]/i.test(part) ? ` ${part}` : part
    isAfterCommand = /^\\[a-z]+$/i.test(part)
  }
  return tex
}

const getChildren = (tree: Tree, parent: Node) => childrenOf(tree, parent).filter((at) => tree.tags[at] !== 0)

function writeTerm(tree: Tree, node: Node): string {
  const name = tagName(tree, node)
  const structure = structures[name]
  // Convert each part once: twice per level would take exponential time in a deeply nested formula.
  if (structure) {
    const [first, second, third] = getChildren(tree, node).slice(0, 3)
    const part = (child: Node | undefined) => (child === undefined ? '' : writeTerm(tree, child))
    return structure(part(first), part(second), part(third))
  }
  return (writers.get(name) ?? writeRow)(tree, node)
}

type TermWriter = typeof writeTerm

const writeSymbols: TermWriter = (tree, node) => texSymbols(textOf(tree, node).trim())
const writeText: TermWriter = (tree, node) => `\\text{${textOf(tree, node).replace(/\s+/g, ' ')}}`

const writers = new Map<string, TermWriter>([
  ['mi', (tree, node) => texName(textOf(tree, node).trim())],
  ['mn', writeSymbols],
  ['mo', writeSymbols],
  ['mtext', writeText],
  ['ms', writeText],
  ['mspace', () => ' '],
  ['msqrt', (tree, node) => `\\sqrt{${writeRow(tree, node)}}`],
  ['mfenced', writeFenced],
  ['mtable', writeTable],
  ...['annotation', 'annotation-xml', 'mphantom'].map((name): [string, TermWriter] => [name, () => '']),
])

type Structure = (first: string, second: string, third: string) => string

const writeSuperscript: Structure = (under, over) =>
  Object.hasOwn(readCommands().accents, over)
    ? `${readCommands().accents[over]}{${under}}`
    : `${toBase(under)}^{${over}}`

const writeSubscript: Structure = (over, under) => `${toBase(over)}_{${under}}`

const writeBoth: Structure = (middle, under, over) => `${toBase(middle)}_{${under}}^{${over}}`

const structures: Record<string, Structure> = {
  mfrac: (over, under) => `\\frac{${over}}{${under}}`,
  mroot: (inside, index) => `\\sqrt[${index}]{${inside}}`,
  msup: writeSuperscript,
  mover: writeSuperscript,
  msub: writeSubscript,
  munder: writeSubscript,
  msubsup: writeBoth,
  munderover: writeBoth,
  semantics: (formula) => formula,
}

function writeTable(tree: Tree, node: Node): string {
  const lines = getChildren(tree, node).map((line) => {
    const cells = getChildren(tree, line).map((cell) => writeRow(tree, cell))
    return cells.join(' & ')
  })
  return `\\begin{matrix}${lines.join(' \\\\ ')}\\end{matrix}`
}

function toBase(tex: string): string {
  const bare = tex.trim()
  return /^(?:\\[a-z]+|.)$/iu.test(bare) || bare === '' ? bare : `{${bare}}`
}

function writeFenced(tree: Tree, node: Node): string {
  const open = attributeNamed(tree, node, 'open') ?? '('
  const close = attributeNamed(tree, node, 'close') ?? ')'
  const inside = getChildren(tree, node).map((part) => writeTerm(tree, part))
  return `\\left${texSymbols(open) || '.'}${inside.join(', ')}\\right${texSymbols(close) || '.'}`
}

const functions =
  /^(?:arccos|arcsin|arctan|arg|cos|cosh|cot|csc|deg|det|dim|exp|gcd|hom|inf|ker|lg|lim|ln|log|max|min|Pr|sec|sin|sinh|sup|tan|tanh)$/

export function texName(name: string): string {
  if (functions.test(name)) return `\\${name} `
  return [...name].length > 1 ? `\\mathrm{${texSymbols(name)}}` : texSymbols(name)
}

export interface TexCommands {
  accents: Record<string, string>
  signs: Record<string, string>
}

const readCommands = jsonFile<TexCommands>(new URL('./tex-commands.json', import.meta.url))

export function texSymbols(text: string): string {
  let output = ''
  for (const character of text) output += readCommands().signs[character] ?? character
  return output
}
