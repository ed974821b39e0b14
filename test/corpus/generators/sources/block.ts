/** A block of the manual. Text may contain `code`, **strong**, *emphasis* and [a link](address). */
export type Block =
  | { kind: 'paragraph'; text: string }
  | { kind: 'heading'; level: 2 | 3; text: string }
  | { kind: 'code'; language: string; caption?: string; text: string }
  | { kind: 'table'; caption?: string; head: string[]; rows: string[][] }
  | { kind: 'definitions'; entries: [term: string, definition: string][] }
  | { kind: 'note'; type: NoteType; text: string }
  | { kind: 'list'; isOrdered: boolean; items: Item[] }
  | { kind: 'figure'; source: string; alt: string; caption: string }
  | { kind: 'tabs'; tabs: { label: string; language: string; text: string }[] }
  | { kind: 'footnote'; label: string; text: string }
  | { kind: 'details'; summary: string; text: string }
  | { kind: 'quote'; text: string }
  | { kind: 'signature'; signature: Signature }

export type NoteType = 'note' | 'tip' | 'warning' | 'caution' | 'important'

/** A list item, optionally with nested items. */
export type Item = string | [text: string, items: string[]]

export interface Signature {
  name: string
  parameters: { name: string; type: string; default?: string; text: string }[]
  returns: { type: string; text: string }
  text: string
}

export interface ManualPage {
  name: string
  title: string
  blocks: Block[]
}

export const p = (text: string): Block => ({ kind: 'paragraph', text })
export const h2 = (text: string): Block => ({ kind: 'heading', level: 2, text })
export const h3 = (text: string): Block => ({ kind: 'heading', level: 3, text })
export const note = (type: NoteType, text: string): Block => ({ kind: 'note', type, text })
export const bullets = (...items: Item[]): Block => ({ kind: 'list', isOrdered: false, items })
export const steps = (...items: Item[]): Block => ({ kind: 'list', isOrdered: true, items })
export const footnote = (label: string, text: string): Block => ({ kind: 'footnote', label, text })
export const details = (summary: string, text: string): Block => ({ kind: 'details', summary, text })
export const quote = (text: string): Block => ({ kind: 'quote', text })
export const signature = (signature: Signature): Block => ({ kind: 'signature', signature })

export const definitions = (...entries: [term: string, definition: string][]): Block => ({
  kind: 'definitions',
  entries,
})

export const code = (language: string, text: string, caption?: string): Block => ({
  kind: 'code',
  language,
  text,
  ...(caption === undefined ? {} : { caption }),
})

export const table = (head: string[], rows: string[][], caption?: string): Block => ({
  kind: 'table',
  head,
  rows,
  ...(caption === undefined ? {} : { caption }),
})

export const figure = (source: string, alt: string, caption: string): Block => ({
  kind: 'figure',
  source,
  alt,
  caption,
})

export const tabs = (...tabs: { label: string; language: string; text: string }[]): Block => ({
  kind: 'tabs',
  tabs,
})
