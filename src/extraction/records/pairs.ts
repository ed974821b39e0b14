import { tag } from '../../content/tree/names.ts'
import { endOf, type Node, type Tree, tagOf } from '../../content/tree/tree.ts'
import type { Line, Lines } from '../fields/lines.ts'
import type { SchemaField } from '../fields/schema-fields.ts'
import { shownText } from '../fields/shown-text.ts'
import { cellTags } from '../fields/table-rows.ts'
import { wordList } from '../vocabulary/words.ts'
import type { Cell } from './cell.ts'
import { childrenOf, findSimilarElements } from './groups.ts'

const labelWords = wordList('pairLabels')
const valueWords = wordList('pairValues')

/** Returns the fields of a list of two texts. `isNamed` is true for a label and its value: `{ label, value }`. */
export function findPairFields(fields: readonly SchemaField[]) {
  const [first, second] = fields
  if (!first || !second || fields.length !== 2) return undefined
  if (!fields.every(({ spec }) => spec.kind === 'text' || spec.kind === 'any')) return undefined
  const lastWord = ({ names }: SchemaField) => names.own.at(-1) ?? ''
  const value = fields.find((field) => valueWords.has(lastWord(field)))
  const key = fields.find((field) => field !== value && labelWords.has(lastWord(field)))
  return key && value ? { key, value, isNamed: true } : { key: first, value: second, isNamed: false }
}

type Pair = readonly [key: Cell, value: Cell]

export type PairGroup = ReturnType<typeof pairGroups>[number]

const maxGroups = 40
const maxPairs = 500
const maxValueLength = 300

export function pairGroups(lines: Lines) {
  const { tree, weights } = lines
  const groups: { first: Node; pairs: Pair[] }[] = []
  for (let node = 1; node < tree.count && groups.length < maxGroups; node += 1) {
    const name = tagOf(tree, node)
    if ((name !== tag.table && name !== tag.dl) || (weights[node] ?? 1) < 0.5) continue
    const pairs = name === tag.dl ? readTerms(tree, node) : readRows(tree, node)
    if (pairs.length > 0) groups.push({ first: node, pairs })
  }
  for (const spans of findSimilarElements(lines)) {
    const first = spans[0]?.node ?? 0
    const pairs = spans.map(({ node }) => readPairAt(lines, node)).filter((pair) => pair !== undefined)
    if (pairs.length > 1 && pairs.length >= spans.length * 0.8) groups.push({ first, pairs })
  }
  return groups
}

function readRows(tree: Tree, table: Node): Pair[] {
  const pairs: Pair[] = []
  let otherRows = 0
  for (let node = table + 1; node < endOf(tree, table) && pairs.length < maxPairs; node += 1) {
    if (tagOf(tree, node) !== tag.tr) continue
    const cells = childrenOf(tree, node).filter((cell) => cellTags[tagOf(tree, cell)] === 1)
    const pair = toPair(tree, cells)
    if (pair) pairs.push(pair)
    else if (cells.length !== 1) otherRows += 1
  }
  return otherRows > pairs.length * 0.2 ? [] : pairs
}

function readTerms(tree: Tree, list: Node): Pair[] {
  const pairs: Pair[] = []
  let term: Node | undefined
  for (let node = list + 1; node < endOf(tree, list) && pairs.length < maxPairs; node += 1) {
    if (tagOf(tree, node) === tag.dt) term = node
    else if (tagOf(tree, node) === tag.dd && term !== undefined) {
      const pair = toPair(tree, [term, node])
      if (pair) pairs.push(pair)
      term = undefined
    }
  }
  return pairs
}

function toPair(tree: Tree, nodes: readonly Node[]): Pair | undefined {
  const [one, other] = nodes
  if (one === undefined || other === undefined || nodes.length !== 2) return undefined
  return createPair({ text: shownText(tree, one), node: one }, { text: shownText(tree, other), node: other })
}

function createPair(key: Cell, value: Cell): Pair | undefined {
  if (key.text === '' || value.text === '' || key.text.length > 80 || value.text.length > maxValueLength)
    return undefined
  return [{ ...key, text: key.text.replace(/\s*[:：]$/, '') }, value]
}

function readPairAt({ tree, list, linesBefore }: Lines, node: Node): Pair | undefined {
  const rowLines = list.slice(linesBefore[node] ?? 0, linesBefore[endOf(tree, node)] ?? list.length)
  const [one, other] = rowLines
  if (!one || rowLines.length > 2) return undefined
  const [key = '', value = ''] = other ? [one.text, other.text] : splitLine(one)
  return createPair({ text: key, node: one.first }, { text: value, node: (other ?? one).first })
}

function splitLine({ segments, text }: Line): string[] {
  if (segments.length === 2) return segments
  const colon = text.search(/[:：]\s/)
  return colon > 0 && colon < 60 ? [text.slice(0, colon), text.slice(colon + 1).trim()] : []
}
