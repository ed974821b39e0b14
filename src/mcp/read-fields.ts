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
  const decoder = new TextDecoder()
  const scanner = new FieldScanner(windowOf)
  for await (const chunk of json) scanner.take(decoder.decode(chunk, { stream: true }))
  return new Map(scanner.fields.map((field) => [field.name, wellFormed(field)]))
}

/** What is read next. */
type ScanState = 'start' | 'beforeName' | 'name' | 'colon' | 'beforeValue' | 'text' | 'other' | 'end'

const simple: Record<string, string> = { n: '\n', t: '\t', r: '\r', b: '\b', f: '\f' }

class FieldScanner {
  readonly fields: Field[] = []
  readonly #windowOf: (name: string) => Window
  #state: ScanState = 'start'
  #name = ''
  #window: Window = { offset: 0, most: 0 }
  /** An escape that the end of a chunk has cut. */
  #carried = ''
  /** Within a value that is no string. */
  #depth = 0
  #isInString = false

  constructor(windowOf: (name: string) => Window) {
    this.#windowOf = windowOf
  }

  take(chunk: string): void {
    const source = this.#carried + chunk
    this.#carried = ''
    for (let at = 0; at < source.length; ) at = this.#step(source, at)
  }

  /** Reads on from a character and answers the next one to look at. */
  #step(source: string, at: number): number {
    switch (this.#state) {
      case 'name':
        return this.#readText(source, at, 'colon', (piece) => (this.#name += piece))
      case 'text':
        return this.#readText(source, at, 'beforeName', (piece) => this.#add(piece))
      case 'other':
        return this.#readOther(source, at)
      case 'end':
        return source.length
      default:
        return this.#readBetween(source[at] ?? '', at)
    }
  }

  #readBetween(character: string, at: number): number {
    if (/\s|,/.test(character)) return at + 1
    if (this.#state === 'beforeValue') return this.#startValue(character, at)
    if (this.#state === 'colon') this.#state = 'beforeValue'
    else if (this.#state === 'start') this.#state = character === '{' ? 'beforeName' : 'end'
    else this.#state = character === '"' ? 'name' : 'end'
    return at + 1
  }

  #startValue(character: string, at: number): number {
    const isText = character === '"'
    this.#window = this.#windowOf(this.#name)
    this.fields.push({ name: this.#name, isText, offset: this.#window.offset, text: '', total: 0 })
    this.#name = ''
    this.#depth = 0
    this.#isInString = false
    this.#state = isText ? 'text' : 'other'
    return isText ? at + 1 : at
  }

  #add(piece: string): void {
    const field = this.fields.at(-1)
    if (!field) return
    const { offset, most } = this.#window
    const from = Math.max(offset - field.total, 0)
    const to = Math.min(offset + most - field.total, piece.length)
    if (from < to) field.text += piece.slice(from, to)
    field.total += piece.length
  }

  /** To the end of a string; an escape that is cut waits for the next chunk. */
  #readText(source: string, at: number, next: ScanState, add: (piece: string) => void): number {
    const found = firstOf(/["\\]/g, source, at)
    if (found > at) add(source.slice(at, found))
    if (source[found] === '"') this.#state = next
    if (source[found] !== '\\') return found + 1
    const kind = source[found + 1] ?? ''
    const length = kind === 'u' ? 6 : 2
    if (found + length > source.length) {
      this.#carried = source.slice(found)
      return source.length
    }
    const code = Number.parseInt(source.slice(found + 2, found + length), 16)
    add(kind === 'u' ? String.fromCharCode(code) : (simple[kind] ?? kind))
    return found + length
  }

  /** Through any other value, whose JSON is taken as it stands. */
  #readOther(source: string, at: number): number {
    const found = firstOf(this.#isInString ? /["\\]/g : /["{}[\],]/g, source, at)
    const mark = source[found] ?? ''
    if (!this.#isInString && this.#depth === 0 && (mark === ',' || mark === '}')) {
      this.#add(source.slice(at, found).trimEnd())
      this.#state = mark === ',' ? 'beforeName' : 'end'
      return found + 1
    }
    if (mark === '\\' && found + 1 === source.length) {
      this.#add(source.slice(at, found))
      this.#carried = mark
      return source.length
    }
    const end = mark === '\\' ? found + 2 : mark === '' ? found : found + 1
    this.#add(source.slice(at, end))
    if (mark === '"') this.#isInString = !this.#isInString
    else if (mark === '{' || mark === '[') this.#depth += 1
    else if (mark === '}' || mark === ']') this.#depth -= 1
    return end
  }
}

function firstOf(marks: RegExp, source: string, at: number): number {
  marks.lastIndex = at
  return marks.exec(source)?.index ?? source.length
}

/** A window may end between the halves of a character: that one begins the next. */
function wellFormed(field: Field): Field {
  const isCut = field.offset + field.text.length < field.total
  const last = field.text.charCodeAt(field.text.length - 1)
  const text = isCut && last >= 0xd8_00 && last <= 0xdb_ff ? field.text.slice(0, -1) : field.text
  return { ...field, text: text.toWellFormed() }
}
