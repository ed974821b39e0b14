import { imageSource } from '../../content/image-source.ts'
import { attr, tag } from '../../content/tree/names.ts'
import { attribute, endOf, isText, type Node, parentOf, type Tree, tagOf } from '../../content/tree/tree.ts'
import type { Line, Lines } from '../fields/lines.ts'
import { isMoney } from '../fields/shapes.ts'
import { shownText } from '../fields/shown-text.ts'
import type { Column, RecordSet } from './cell.ts'
import { nameByTexts } from './column-names.ts'

const mostNodes = 600
const mostPlaces = 120
const mostLevels = 10

/** Records as columns: what stands in the same place of each. */
export function columnsOf(lines: Lines, nodes: readonly Node[]): RecordSet {
  const columns = new Map<string, Column>()
  const labels = { links: linkLabels(lines.tree, nodes), texts: commonTexts(lines, nodes) }
  for (const [record, node] of nodes.entries()) addRecord(lines, columns, labels, record, node)
  const kept = [...columns.values()].filter(({ cells }) => cells.size >= Math.min(2, nodes.length))
  nameByTexts(kept, nodes.length)
  const weight = Math.max(...nodes.slice(0, 5).map((node) => lines.weights[node] ?? 1))
  return { nodes: [...nodes], columns: kept, reader: 'records', weight }
}

function addRecord(
  { tree, list, before, weights }: Lines,
  columns: Map<string, Column>,
  labels: Labels,
  record: number,
  node: Node,
): void {
  const seen = new Map<string, number>()
  const put: Put = (at, form, text, flags = {}) => {
    if (text === '' || seen.size > mostPlaces) return
    const place = `${form} ${flags.label ?? placeOf(tree, at, node)}${flags.part ?? ''}`
    const times = (seen.get(place) ?? 0) + 1
    seen.set(place, times)
    const key = `${place} ${times}`
    const column = columns.get(key) ?? newColumn(tree, at, node, form, columns.size)
    columns.set(key, column)
    column.cells.set(record, { text, node: at })
    column.isHeading ||= flags.isHeading ?? false
    column.isLink ||= flags.isLink ?? false
    column.isStruck ||= flags.isStruck ?? false
    column.isWhole ||= flags.isWhole ?? false
    if (flags.label !== undefined && cellsOf(column) === 1) column.names.push(flags.label)
  }
  const end = Math.min(endOf(tree, node), node + mostNodes)
  for (let at = node; at < end; at += 1) {
    if (isText(tree, at) || (weights[at] ?? 1) === 0) continue
    const name = tagOf(tree, at)
    if (name === tag.img) put(at, 'image', imageSource(tree, at) ?? '')
    if (name === tag.a) {
      const text = shownText(tree, at)
      put(at, 'link', attribute(tree, at, attr.href) ?? '', labels.links.has(text) ? { label: text } : {})
    }
    const said = attribute(tree, at, attr['aria-label']) ?? attribute(tree, at, attr.title)
    if (said && /\d/.test(said) && said.length <= 60) put(at, 'text', said, { part: ' said' })
    if (name === tag.time || attribute(tree, at, attr.datetime))
      put(at, 'date', attribute(tree, at, attr.datetime) ?? '')
  }
  for (let line = before[node] ?? 0; line < (before[end] ?? list.length); line += 1) {
    const found = list[line]
    if (!found) continue
    putLine(tree, found, put, labels.texts)
  }
}

type Put = (
  at: Node,
  form: Column['form'],
  text: string,
  flags?: {
    isHeading?: boolean
    isLink?: boolean
    isStruck?: boolean
    isWhole?: boolean
    label?: string
    part?: string
  },
) => void

const cellsOf = ({ cells }: Column) => cells.size

interface Labels {
  links: ReadonlySet<string>
  texts: ReadonlySet<string>
}

/** What a short line states by its signs: an amount, a number, or words. */
function lookOf(text: string): string {
  if (text.length > 40) return ' long'
  if (isMoney(text)) return ' money'
  return /\d/.test(text) ? ' number' : ' words'
}

/** Short lines without a number that several records have word for word: "In stock". */
function commonTexts({ tree, list, before }: Lines, nodes: readonly Node[]): Set<string> {
  const counts = new Map<string, number>()
  for (const node of nodes) {
    const own = list.slice(before[node] ?? 0, before[endOf(tree, node)] ?? list.length).slice(0, mostPlaces)
    for (const text of new Set(own.filter((line) => line.level === 0).map((line) => line.text)))
      if (text.length <= 40 && !/\d/.test(text)) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const least = Math.max(2, nodes.length * 0.3)
  return new Set([...counts].filter(([, count]) => count >= least).map(([text]) => text))
}

/** Texts of links that most records have: "PDF", "Read more". */
function linkLabels(tree: Tree, nodes: readonly Node[]): Set<string> {
  const counts = new Map<string, number>()
  for (const node of nodes) {
    const own = new Set<string>()
    const end = Math.min(endOf(tree, node), node + mostNodes)
    for (let at = node; at < end; at += 1) {
      if (isText(tree, at) || tagOf(tree, at) !== tag.a) continue
      const text = shownText(tree, at)
      if (text !== '' && text.length <= 24) own.add(text)
    }
    for (const text of own) counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  const least = Math.max(2, nodes.length * 0.4)
  return new Set([...counts].filter(([, count]) => count >= least).map(([text]) => text))
}

/** A line of several pieces is told in pieces as well: "$5" and "4 left" may share one. */
function putLine(tree: Tree, line: Line, put: Put, texts: ReadonlySet<string>): void {
  const { pieces, segments, isStruck } = line
  const isHeading = line.level > 0
  // Records leave out what they have nothing to say of, so that places alone do not tell lines apart.
  const look = texts.has(line.text) ? ` is ${line.text}` : isHeading ? '' : lookOf(line.text)
  const isWhole = pieces.length > 1 || segments.length > 1
  // The element around a text has more to say about it than the box that it stands in.
  const around = pieces.length === 1 && isText(tree, line.first) ? parentOf(tree, line.first) : line.holder
  put(around, 'text', line.text, {
    ...{ isHeading, isStruck, isWhole },
    isLink: pieces.length === 1 && isInLink(tree, line.first),
    part: isStruck ? ' struck' : look,
  })
  if (pieces.length === 1 && segments.length > 1)
    for (const [at, segment] of segments.entries())
      put(line.holder, 'text', segment, { isStruck, part: ` part ${at}` })
  if (pieces.length < 2 || pieces.length > 12) return
  let at = line.first
  for (const piece of pieces) {
    while (at < tree.count && !(isText(tree, at) && textMatches(tree, at, piece))) at += 1
    if (at >= tree.count) return
    put(parentOf(tree, at), 'text', piece, {
      isHeading,
      isStruck,
      isLink: isInLink(tree, at),
      part: ' piece',
    })
    at += 1
  }
}

function textMatches(tree: Tree, node: Node, piece: string): boolean {
  const start = tree.starts[node] ?? 0
  const text = start < 0 ? (tree.decoded[-1 - start] ?? '') : tree.html.slice(start, tree.stops[node])
  return text.replace(/\s+/g, ' ').trim() === piece
}

function isInLink(tree: Tree, node: Node): boolean {
  for (let at = node, up = 0; at > 0 && up < 4; at = parentOf(tree, at), up += 1)
    if (tagOf(tree, at) === tag.a) return true
  return false
}

function placeOf(tree: Tree, at: Node, record: Node): string {
  let place = ''
  for (let node = at, up = 0; node > record && up < mostLevels; node = parentOf(tree, node), up += 1) {
    const [first = ''] = (attribute(tree, node, attr.class) ?? '').trim().split(/\s+/, 1)
    place = `${tagOf(tree, node)}.${first.slice(0, 40).replace(/\d+/g, '')}/${place}`
  }
  return place
}

function newColumn(tree: Tree, at: Node, record: Node, form: Column['form'], order: number): Column {
  const names: string[] = []
  for (let node = at, up = 0; node >= record && up < 4; node = parentOf(tree, node), up += 1) {
    if (node === record && at !== record) break
    for (const name of [attr.class, attr.itemprop, attr.rel, attr['aria-label']]) {
      const value = attribute(tree, node, name)
      if (value) names.push(...value.slice(0, 200).split(/\s+/).slice(0, 8))
    }
    const data = dataName(tree, node)
    if (data) names.push(data)
  }
  return {
    names,
    form,
    cells: new Map(),
    isHeading: false,
    isLink: false,
    isStruck: false,
    isWhole: false,
    order,
  }
}

function dataName(tree: Tree, node: Node): string | undefined {
  const stop = tree.stops[node] ?? 0
  for (let at = tree.starts[node] ?? 0; at < stop; at += 1) {
    if (tree.attributes.names[at] !== 0) continue
    const name = tree.html.slice(tree.attributes.nameStarts[at], tree.attributes.nameStops[at]).toLowerCase()
    if (/^data-(?:testid|test|qa|field|label|title|th)$/.test(name))
      return tree.html.slice(tree.attributes.starts[at], tree.attributes.stops[at]).slice(0, 80)
  }
  return undefined
}
