import type { Node } from '../../content/tree/tree.ts'
import type { SchemaField } from '../fields/schema-fields.ts'

/** Text at one position of a record. */
export interface Cell {
  text: string
  node: Node
  /** Link around the text. */
  link?: Node
  /** All texts, if the position has several of a kind. */
  parts?: string[]
}

/** Texts at the same position of all records, or the URLs of their links or images. */
export interface Column {
  /** Names that the page uses: of the elements at the position, and of a table column. */
  names: string[]
  /** Words in the URLs of its links: "agent" for "/agents/hollis". */
  leads: string[]
  form: 'text' | 'link' | 'image' | 'date'
  /** Cells by record number. */
  cells: Map<number, Cell>
  isHeading: boolean
  isLink: boolean
  /** True if the text is struck through. */
  isStruck: boolean
  /** True if parts of the text are also columns. */
  isWhole: boolean
  /** True if the text is a part of a line. */
  isPiece: boolean
  /** True if the text is cut out of a longer text. */
  isPart: boolean
  /** True if the text stands out from the texts around it. */
  isStrong: boolean
  /** True if the cells are lists. */
  isList: boolean
  /** Position in the record. */
  order: number
}

/** Records of the same structure. */
export interface RecordSet {
  nodes: Node[]
  columns: Column[]
  reader: 'records' | 'table' | 'section'
  /** True if a row names the columns. */
  isHeaded?: boolean
  /** Likelihood that the records are main content. */
  weight: number
}

export const plainColumn = (order: number): Column => ({
  ...{ names: [], leads: [], form: 'text', cells: new Map(), order },
  ...{ isHeading: false, isLink: false, isStruck: false, isWhole: false, isList: false },
  ...{ isPiece: false, isPart: false, isStrong: false },
})

/** Column of a field, with its confidence. */
export interface Assignment {
  slot: SchemaField
  column: Column
  /** Columns of the same field in records that lack the first one: a reduced price, for example, is at another position. */
  more: Column[]
  score: number
}
