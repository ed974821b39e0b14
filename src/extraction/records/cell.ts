import type { Node } from '../../content/tree/tree.ts'
import type { SchemaField } from '../fields/schema-fields.ts'

/** One thing that a record says in one place. */
export interface Cell {
  text: string
  node: Node
  /** The link around the text. */
  link?: Node
  /** Where the place has several of a kind: all of them. */
  parts?: string[]
}

/** What the same place of all records says: their texts, or the addresses of their links or pictures. */
export interface Column {
  /** Names of the elements of the place, and of the column of a table: how the page calls it. */
  names: string[]
  /** Where its links lead: "agent" for "/agents/hollis". */
  leads: string[]
  form: 'text' | 'link' | 'image' | 'date'
  /** By the number of the record. */
  cells: Map<number, Cell>
  isHeading: boolean
  isLink: boolean
  /** Whether it is crossed out. */
  isStruck: boolean
  /** Whether parts of it are columns as well. */
  isWhole: boolean
  /** Whether it is a part of a line. */
  isPiece: boolean
  /** Whether it is cut out of a text. */
  isPart: boolean
  /** Whether it stands out from the texts around it. */
  isStrong: boolean
  /** Whether its cells are lists. */
  isList: boolean
  /** Where in the record it stands. */
  order: number
}

/** Records that are built alike. */
export interface RecordSet {
  nodes: Node[]
  columns: Column[]
  reader: 'records' | 'table' | 'section'
  /** Whether a row names its columns. */
  isHeaded?: boolean
  /** How likely its place is that of the content. */
  weight: number
}

export const plainColumn = (order: number): Column => ({
  ...{ names: [], leads: [], form: 'text', cells: new Map(), order },
  ...{ isHeading: false, isLink: false, isStruck: false, isWhole: false, isList: false },
  ...{ isPiece: false, isPart: false, isStrong: false },
})

/** Which column holds a field, and how surely. */
export interface Assignment {
  slot: SchemaField
  column: Column
  /** Columns that say the same in the records which lack the first: a price that is reduced stands in another place. */
  more: Column[]
  score: number
}
