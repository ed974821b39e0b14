import { tag, tagSet } from '../tree/names.ts'
import { classOf, endOf, type Node, none, type Tree, textAt, textOf } from '../tree/tree.ts'
import { codeSpan, fenced } from './code.ts'
import { escapeText, plainSurroundings } from './escape.ts'
import { isBlock, isSilent } from './facts.ts'
import { languageOfSite } from './implied-language.ts'
import { isPermalinkTo, isSourceLink, targetOfLink } from './link.ts'
import type { Writer } from './writer.ts'

/** A declaration as one line: links and colours inside it would tear it. */
export const signatureLine = (writer: Writer, node: Node) => oneLine(signatureText(writer, node))

function oneLine(text: string): string {
  return text
    .replace(/\s+/g, ' ')
    .replace(/([([]) | (?=[)\],])/g, '$1')
    .replace(/^\s*:\s+/, '')
    .trim()
}

/** A declaration as code; what some put before it, as in "Function: abs (x)", is no part of it. */
export function declaration(writer: Writer, node: Node): string {
  const category = categoryOf(writer.tree, node)
  if (category === none) return spanOf(signatureLine(writer, node))
  const kind = escapeText(oneLine(textOf(writer.tree, category)).replace(/^:$/, ''), plainSurroundings)
  const forms = signatureText(writer, node, category).split('\n').map(oneLine)
  const code = forms.filter((form) => form !== '').map(spanOf)
  return [kind, code.join(', ')].filter((part) => part !== '').join(' ')
}

const spanOf = (text: string) => (text === '' ? '' : codeSpan(text))

function categoryOf(tree: Tree, node: Node): Node {
  const end = endOf(tree, node)
  for (let at = node + 1; at < end; at += 1) {
    const isSpan = tree.tags[at] === tag.span
    if (isSpan && /(?:^|\s)category(?:-def)?(?:\s|$)/.test(classOf(tree, at) ?? '')) return at
  }
  return none
}

/** A declaration in a fence, on as many lines as it has. */
export function signatureListing(writer: Writer, node: Node): string {
  const { tree } = writer
  const isTable = tree.tags[node] === tag.table
  const text = isTable ? signatureLine(writer, node) : signatureText(writer, node)
  const lines = text
    .split('\n')
    .map((line) => line.trimEnd())
    .filter((line) => line !== '')
  if (lines.length === 0) return ''
  const code = lines.join('\n').trim()
  return fenced(code, languageOfSignature(writer, node, code))
}

/** Names that one generator alone gives to a declaration. */
const ofGenerator: [RegExp, string][] = [
  [/(?:^|\s)(?:member|type)-signature(?:\s|$)/, 'java'],
  [/(?:^|\s)tsd-signature(?:\s|$)/, 'typescript'],
  [/(?:^|\s)dc-description(?:\s|$)/, 'php'],
  [/(?:^|\s)funcprototype-table(?:\s|$)/, 'c'],
]

function languageOfSignature(writer: Writer, node: Node, code: string): string {
  const classes = classOf(writer.tree, node) ?? ''
  // Doxygen reads more than C++.
  if (/(?:^|\s)memname(?:\s|$)/.test(classes) && code.startsWith('def ')) return 'python'
  return ofGenerator.find(([name]) => name.test(classes))?.[1] ?? languageOfSite(writer)
}

/** Whether a heading is a declaration whose types are links, as in `Object read(Source from)`. */
export function isTornDeclaration(writer: Writer, heading: Node): boolean {
  const { tree } = writer
  const end = endOf(tree, heading)
  let links = 0
  for (let at = heading + 1; at < end; at += 1) {
    if (tree.tags[at] === tag.a && !targetOfLink(writer, at).startsWith(writer.page)) links += 1
  }
  return links > 1 && /^[^.!?]*\w ?\([^()]*\)[^.!?]{0,80}$/.test(signatureLine(writer, heading))
}

const apart = tagSet('td th')

function signatureText(writer: Writer, node: Node, apartFrom: Node = none): string {
  const { tree, facts } = writer
  const end = endOf(tree, node)
  let text = ''
  let at = node + 1
  while (at < end) {
    const name = tree.tags[at] ?? 0
    const fact = facts[at] ?? 0
    if ((fact & isSilent) !== 0 || at === apartFrom || (name === tag.a && isAside(writer, at))) {
      at = endOf(tree, at)
      continue
    }
    if (name === 0) text += textAt(tree, at)
    else if (apart[name] === 1) text += ' '
    else if (name === tag.br || (fact & isBlock) !== 0) text += '\n'
    at += 1
  }
  return text.replace(/[\u00ad\u200b\u2060\ufeff]+/g, '').replaceAll('\u00a0', ' ')
}

function isAside(writer: Writer, anchor: Node): boolean {
  const target = targetOfLink(writer, anchor)
  return target !== '' && (isPermalinkTo(writer, anchor, target) || isSourceLink(writer.tree, anchor))
}
