import type { Node } from '../../content/tree/tree.ts'
import type { SchemaField } from '../fields/schema-fields.ts'

export interface Cell {
  text: string
  node: Node
  link?: Node | undefined
  parts?: string[]
}

/** Texts at the same position in each record, or the URLs of their links or images. */
export interface Column {
  /** Names of the elements at the position, and of a table column. */
  names: string[]
  /** Words in the URLs of the links: "agent" for "/agents/hollis". */
  hrefWords: string[]
  form: 'text' | 'link' | 'image' | 'date'
  cells: Map<number, Cell>
  isHeading: boolean
  isLink: boolean
  isStruck: boolean
  /** True if the text is a complete line whose parts are also columns. */
  isFullLine: boolean
  isLinePart: boolean
  /** True if the cells are headings above the records, each for several records. */
  isSharedHeading: boolean
  isStrong: boolean
  isList: boolean
  order: number
}

export interface RecordSet {
  nodes: Node[]
  columns: Column[]
  reader: 'records' | 'table' | 'section'
  hasColumnNames?: boolean
  weight: number
}

export const plainColumn = (order: number): Column => ({
  ...{ names: [], hrefWords: [], form: 'text', cells: new Map(), order },
  ...{ isHeading: false, isLink: false, isStruck: false, isFullLine: false, isList: false },
  ...{ isLinePart: false, isSharedHeading: false, isStrong: false },
})

export interface Assignment {
  field: SchemaField
  column: Column
  /** Further columns for records without a cell in `column`: a reduced price may be at another position. */
  more: Column[]
  score: number
}
