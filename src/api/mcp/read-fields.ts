import { createMemberScanner } from '../../platform/json/json-members.ts'

export interface Window {
  offset: number
  limit: number
}

export interface Field {
  name: string
  /** True if the value is a string; for other values, `text` is its JSON. */
  isText: boolean
  offset: number
  text: string
  total: number
}

export const isComplete = ({ offset, text, total }: Field): boolean => offset === 0 && text.length === total

export function completeValue(field: Field | undefined): unknown {
  if (field === undefined || !isComplete(field)) return undefined
  return field.isText ? field.text : JSON.parse(field.text)
}

/** Characters outside the windows are skipped and never buffered. A non-object has no fields. */
export async function readFields(
  json: AsyncIterable<Uint8Array>,
  windowOf: (name: string) => Window,
): Promise<Map<string, Field>> {
  const fields: Field[] = []
  const decoder = new TextDecoder()
  const scan = createMemberScanner()
  let appendPiece: ReturnType<typeof createFieldReader> | undefined
  for await (const chunk of json) {
    for (const { name, lead, bytes, isLast } of scan(chunk)) {
      if (name === undefined) continue
      const piece = decoder.decode(bytes, { stream: true })
      // Only the first piece of a value has a lead.
      if (lead !== '') {
        const window = windowOf(name)
        const field = { name, isText: piece.startsWith('"'), offset: window.offset, text: '', total: 0 }
        fields.push(field)
        appendPiece = createFieldReader(field, window)
      }
      appendPiece?.(piece, isLast)
    }
  }
  return new Map(fields.map((field) => [field.name, trimLoneSurrogate(field)]))
}

function createFieldReader(field: Field, { offset, limit }: Window) {
  let carried = ''
  return (piece: string, isLast: boolean): void => {
    const source = carried + piece
    const end = field.isText && !isLast ? completeLength(source) : source.length
    // Each piece of a string is parsed as a separate string literal.
    carried = field.isText ? `"${source.slice(end)}` : ''
    const text: string = field.isText ? JSON.parse(source.slice(0, end) + (isLast ? '' : '"')) : source
    const from = Math.max(offset - field.total, 0)
    const to = Math.min(offset + limit - field.total, text.length)
    if (from < to) field.text += text.slice(from, to)
    field.total += text.length
  }
}

function completeLength(text: string): number {
  const last = text.lastIndexOf('\\')
  let backslashes = 0
  while (text[last - backslashes] === '\\') backslashes += 1
  const isIncomplete = last + (text[last + 1] === 'u' ? 6 : 2) > text.length
  return backslashes % 2 === 1 && isIncomplete ? last : text.length
}

/** Removes a lone high surrogate at the end of a window; the next window starts with that character. */
function trimLoneSurrogate(field: Field): Field {
  const isTruncated = field.offset + field.text.length < field.total
  const last = field.text.charCodeAt(field.text.length - 1)
  const text = isTruncated && last >= 0xd8_00 && last <= 0xdb_ff ? field.text.slice(0, -1) : field.text
  return { ...field, text: text.toWellFormed() }
}
