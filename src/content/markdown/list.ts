import { type Element, isTag, isText } from 'domhandler'
import { type Context, indented, joinBlocks, type Writer } from './writer.ts'

/** A list with its items; nested lists are indented under the item they belong to. */
export function writeList(list: Element, context: Context, writer: Writer): string {
  const inner = { ...context, level: context.level + 1 }
  const isOrdered = list.name === 'ol'
  const items: string[] = []
  let number = integer(list.attribs.start) ?? 1
  let indent = '  '
  for (const entry of entriesOf(list)) {
    const blocks = writer.blocks(entry.name === 'li' ? entry.children : [entry], inner)
    const text = joinBlocks(blocks, true)
    if (text === '') continue
    const last = items.at(-1)
    if (isList(entry) && last !== undefined) {
      items[items.length - 1] = `${last}\n${indent}${indented(text, indent)}`
      continue
    }
    number = integer(entry.attribs.value) ?? number
    const marker = isOrdered ? `${number}. ` : '- '
    indent = ' '.repeat(marker.length)
    items.push(marker + indented(text, indent))
    number += 1
  }
  return items.join('\n')
}

/**
 * Items, and what authors put beside them: a list inside a list without an item, or items inside a wrapper.
 */
function* entriesOf(list: Element): Generator<Element> {
  for (const child of list.children) {
    if (!isTag(child)) continue
    const holdsItems = child.name !== 'li' && !isList(child) && child.children.some(isItem)
    if (holdsItems) yield* entriesOf(child)
    else yield child
  }
}

const isItem = (node: Element['children'][number]) => isTag(node) && node.name === 'li'

const isList = (element: Element) => /^(?:ul|ol|menu|dir)$/.test(element.name)

/** Markdown counts from zero upwards, with at most nine digits. */
function integer(text: string | undefined): number | undefined {
  return text !== undefined && /^\s*\d{1,9}\s*$/.test(text) ? Number.parseInt(text, 10) : undefined
}

/** Terms on their own lines, each definition after a colon, as Markdown dialects that know them write it. */
export function writeDefinitions(list: Element, context: Context, writer: Writer): string {
  const inner = { ...context, level: context.level + 1 }
  const groups: string[][] = []
  let hasTerm = false
  let isAfterDefinition = true
  for (const entry of termsOf(list)) {
    const isTerm = entry.name === 'dt'
    const text = isTerm
      ? writer.line(entry.children, inner)
      : joinBlocks(writer.blocks(entry.children, inner))
    if (text === '') continue
    if (!hasTerm || (isTerm && isAfterDefinition)) groups.push([])
    hasTerm ||= isTerm
    // Without any term the list was only a way to indent.
    groups.at(-1)?.push(isTerm || !hasTerm ? text : `: ${indented(text, '  ')}`)
    isAfterDefinition = !isTerm
  }
  return groups.map((group) => group.join('\n')).join('\n\n')
}

function* termsOf(list: Element): Generator<Element> {
  for (const child of list.children) {
    if (isText(child) || !isTag(child)) continue
    if (child.name === 'dt' || child.name === 'dd') yield child
    else yield* termsOf(child)
  }
}
