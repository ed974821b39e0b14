import { type ChildNode, type Element, isTag, isText, type ParentNode } from 'domhandler'
import { elementsOf } from '../dom.ts'
import { isSilent } from './tags.ts'

/** Text in a fence that nothing inside it can close. */
export function fenced(text: string, language: string): string {
  const fence = '`'.repeat(Math.max(3, longestBacktickRun(text) + 1))
  return `${fence}${language}\n${text}\n${fence}`
}

/** Text as code within a line. */
export function codeSpan(text: string): string {
  const fence = '`'.repeat(longestBacktickRun(text) + 1)
  const space = text.startsWith('`') || text.endsWith('`') ? ' ' : ''
  return `${fence}${space}${text}${space}${fence}`
}

function longestBacktickRun(text: string): number {
  let longest = 0
  for (const [run] of text.matchAll(/`+/g)) longest = Math.max(longest, run.length)
  return longest
}

export function codeBlock(pre: Element): string {
  const text = preformattedText(pre)
  return text.trim() === '' ? '' : fenced(text, languageOf(pre))
}

/**
 * The text of a listing, exactly, without line numbers and what stands around it: a name, a button to copy.
 */
export function preformattedText(pre: Element): string {
  const whole = collectedText(pre)
  const codes = [...elementsOf(pre)].filter((element) => element.name === 'code')
  const only = codes.length === 1 && codes[0] ? collectedText(codes[0]) : ''
  return only.length * 2 > whole.length ? only : whole
}

function collectedText(parent: Element): string {
  const parts: string[] = []
  collect(parent, parts)
  return parts.join('').replace(/\n+$/, '')
}

function collect(parent: ParentNode, parts: string[]): void {
  for (const child of parent.children) {
    if (isText(child)) parts.push(child.data)
    if (!isTag(child) || isSilent(child) || child.name === 'button') continue
    if (child.name === 'br') parts.push('\n')
    const isLine = isLineElement(child)
    if (isLine) breakLine(parts)
    collect(child, parts)
    if (isLine) breakLine(parts)
  }
}

function breakLine(parts: string[]): void {
  const last = parts.at(-1)
  if (last !== undefined && !last.endsWith('\n')) parts.push('\n')
}

/** Some highlighters make every line an element and leave out the line breaks. */
function isLineElement(element: Element): boolean {
  if (/^(?:div|p|li|tr)$/.test(element.name)) return true
  return isLineSpan(element) && (isLineSpan(element.prev) || isLineSpan(element.next))
}

function isLineSpan(node: ChildNode | null): boolean {
  return node !== null && isTag(node) && /(?:^|\s)(?:code-|view-)?line(?:\s|$)/.test(node.attribs.class ?? '')
}

const noLanguage =
  /^(?:auto|code|container|default|none|no-?highlight|plain|plaintext|source|text|txt|wrapper)$/i

/** The language a listing is marked with: on its code element, on itself, or on what is wrapped around it. */
function languageOf(pre: Element): string {
  const candidates = [firstCode(pre), pre]
  // A listing with line numbers lies in the cell of a table in a figure.
  for (let parent = pre.parent; parent && isTag(parent) && candidates.length < 8; parent = parent.parent) {
    if (!/^(?:div|figure|span|table|tbody|td|tr)$/.test(parent.name)) break
    candidates.push(parent)
  }
  for (const element of candidates) {
    const language = element && markedLanguage(element)
    if (language && !noLanguage.test(language)) return language.toLowerCase()
  }
  return ''
}

function firstCode(pre: Element): Element | undefined {
  for (const element of elementsOf(pre)) if (element.name === 'code') return element
  return undefined
}

function markedLanguage(element: Element): string | undefined {
  const { class: classes = '', 'data-lang': lang, 'data-language': language } = element.attribs
  const attribute = language ?? lang
  if (attribute && /^[\w+#.-]{1,30}$/.test(attribute)) return attribute
  const marked =
    classes.match(/(?:^|\s)(?:language|lang|highlight(?:-source|-text)?)-([\w+#.]{1,30})/i) ??
    classes.match(/(?:^|\s)brush:\s*([\w+#]{1,30})/i) ??
    (element.name === 'figure' ? classes.match(/(?:^|\s)highlight\s+([a-z][\w+#]{0,30})/i) : null)
  if (marked) return marked[1]
  if (!/(?:^|\s)(?:hljs|sourceCode|prettyprint)(?:\s|$)/.test(classes)) return undefined
  return classes
    .split(/\s+/)
    .find((name) => /^[a-z][a-z\d+#]{0,20}$/.test(name) && !highlighterNames.has(name))
}

const highlighterNames = new Set(['hljs', 'prettyprint', 'prettyprinted', 'linenums', 'undefined'])
