import { memberScanner } from '../../platform/json/json-members.ts'

/** Which characters of a field are wanted. */
export interface Window {
  offset: number
  most: number
}

/** A field of a JSON object: the characters in its window, and how many it has. */
export interface Field {
  name: string
  /** Whether the value is a string; of any other value, the characters are its JSON. */
  isText: boolean
  offset: number
  text: string
  total: number
}

export const isWhole = ({ offset, text, total }: Field): boolean => offset === 0 && text.length === total

/** The value of a field that is whole; undefined where a part of it is missing. */
export function wholeValue(field: Field | undefined): unknown {
  if (field === undefined || !isWhole(field)) return undefined
  return field.isText ? field.text : JSON.parse(field.text)
}

/**
 * Reads the fields of a JSON object of any size, chunk by chunk: what lies outside the windows is passed over and never
 * held. A value that is no object has no fields.
 */
export async function readFields(
  json: AsyncIterable<Uint8Array>,
  windowOf: (name: string) => Window,
): Promise<Map<string, Field>> {
  const fields: Field[] = []
  const decoder = new TextDecoder()
  const scan = memberScanner()
  let take: ReturnType<typeof fieldReader> | undefined
  for await (const chunk of json) {
    for (const { name, lead, bytes, isLast } of scan(chunk)) {
      if (name === undefined) continue
      const piece = decoder.decode(bytes, { stream: true })
      if (lead !== '') {
        const window = windowOf(name)
        const field = { name, isText: piece.startsWith('"'), offset: window.offset, text: '', total: 0 }
        fields.push(field)
        take = fieldReader(field, window)
      }
      take?.(piece, isLast)
    }
  }
  return new Map(fields.map((field) => [field.name, wellFormed(field)]))
}

/** Returns a function that takes a value piece by piece and puts into the field what lies in the window. */
function fieldReader(field: Field, { offset, most }: Window) {
  let carried = ''
  return (piece: string, isLast: boolean): void => {
    const source = carried + piece
    const end = field.isText && !isLast ? wholeLength(source) : source.length
    // Each piece of a string is parsed as a string of its own.
    carried = field.isText ? `"${source.slice(end)}` : ''
    const text: string = field.isText ? JSON.parse(source.slice(0, end) + (isLast ? '' : '"')) : source
    const from = Math.max(offset - field.total, 0)
    const to = Math.min(offset + most - field.total, text.length)
    if (from < to) field.text += text.slice(from, to)
    field.total += text.length
  }
}

/** The length of a text without an escape that its end cuts. */
function wholeLength(text: string): number {
  const last = text.lastIndexOf('\\')
  let backslashes = 0
  while (text[last - backslashes] === '\\') backslashes += 1
  const isCut = last + (text[last + 1] === 'u' ? 6 : 2) > text.length
  return backslashes % 2 === 1 && isCut ? last : text.length
}

/** A window may end between the halves of a character: that one begins the next. */
function wellFormed(field: Field): Field {
  const isCut = field.offset + field.text.length < field.total
  const last = field.text.charCodeAt(field.text.length - 1)
  const text = isCut && last >= 0xd8_00 && last <= 0xdb_ff ? field.text.slice(0, -1) : field.text
  return { ...field, text: text.toWellFormed() }
}
