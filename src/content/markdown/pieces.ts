import { type ChildNode, type Element, isTag, isText } from 'domhandler'
import { elementsOf, textOf } from '../dom.ts'
import { preformattedText } from './code.ts'
import { imageText } from './image.ts'
import { isHeading, isSilent, type Layout } from './tags.ts'

export interface MarkdownOptions {
  /** Images that carry their own bytes keep their alternative text and lose their address. */
  removeBase64Images: boolean
}

/** Two links are the same only when they are the same object: neighbours with one address stay apart. */
export interface Link {
  href: string
}

export interface Marks {
  link: Link | undefined
  isStrong: boolean
  isEmphasis: boolean
  isStruck: boolean
}

export const noMarks: Marks = { link: undefined, isStrong: false, isEmphasis: false, isStruck: false }

/** A run of inline content. Raw pieces are Markdown already. */
export interface Piece {
  kind: 'text' | 'code' | 'raw' | 'break'
  text: string
  marks: Marks
}

export interface PieceRules {
  options: MarkdownOptions
  layout: Layout
}
