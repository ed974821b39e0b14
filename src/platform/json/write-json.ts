import { setImmediate as nextTurn } from 'node:timers/promises'
import { joinBytes } from './join-bytes.ts'
import { JsonText } from './json.ts'

const pieceLength = 32 * 1024

/** The result is exactly that of JSON.stringify, in pieces between which the event loop may run. */
export function* jsonPieces(value: unknown): Generator<string | JsonText> {
  const writer = { text: '' }
  yield* write(writer, value)
  if (writer.text !== '') yield writer.text
}

interface Writer {
  text: string
}

function* write(writer: Writer, original: unknown): Generator<string | JsonText> {
  if (original instanceof JsonText) {
    if (writer.text !== '') yield writer.text
    writer.text = ''
    yield original
    return
  }
  const value = hasToJson(original) ? original.toJSON() : original
  if (typeof value === 'string' && value.length > pieceLength) return yield* writeLong(writer, value)
  if (Array.isArray(value)) yield* writeArray(writer, value)
  else if (typeof value === 'object' && value !== null) yield* writeObject(writer, value)
  else writer.text += JSON.stringify(value) ?? 'null'
  if (writer.text.length >= pieceLength) {
    yield writer.text
    writer.text = ''
  }
}

function* writeArray(writer: Writer, value: readonly unknown[]): Generator<string | JsonText> {
  writer.text += '['
  for (let index = 0; index < value.length; index += 1) {
    if (index > 0) writer.text += ','
    yield* write(writer, value[index])
  }
  writer.text += ']'
}

function* writeObject(writer: Writer, value: object): Generator<string | JsonText> {
  writer.text += '{'
  let isFirst = true
  for (const [name, entry] of Object.entries(value)) {
    if (entry === undefined || typeof entry === 'function' || typeof entry === 'symbol') continue
    writer.text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`
    isFirst = false
    yield* write(writer, entry)
  }
  writer.text += '}'
}

function* writeLong(writer: Writer, text: string): Generator<string> {
  yield `${writer.text}"`
  writer.text = ''
  for (let offset = 0; offset < text.length; ) {
    const end = findPieceEnd(text, offset)
    yield JSON.stringify(text.slice(offset, end)).slice(1, -1)
    offset = end
  }
  writer.text += '"'
}

function findPieceEnd(text: string, start: number): number {
  const end = Math.min(start + pieceLength, text.length)
  const last = text.charCodeAt(end - 1)
  return end < text.length && last >= 0xd8_00 && last <= 0xdb_ff ? end - 1 : end
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  )
}

export function jsonSize(value: unknown, bound: number): number {
  return estimateSize(value, bound, (text) => text.size)
}

/** Returns true if JSON.stringify can serialise the value in one step: it is short, without serialised parts. */
export function isShortJson(value: unknown, bound: number): boolean {
  return estimateSize(value, bound, () => Infinity) <= bound
}

type SizeOfText = (text: JsonText) => number

function estimateSize(value: unknown, bound: number, sizeOfText: SizeOfText): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 6
  if (value instanceof JsonText) return sizeOfText(value)
  return Array.isArray(value)
    ? estimateArraySize(value, bound, sizeOfText)
    : estimateObjectSize(value, bound, sizeOfText)
}

function estimateArraySize(value: readonly unknown[], bound: number, sizeOfText: SizeOfText): number {
  let size = 2
  for (let index = 0; index < value.length && size <= bound; index += 1) {
    size += 1 + estimateSize(value[index], bound - size, sizeOfText)
  }
  return size
}

function estimateObjectSize(value: object, bound: number, sizeOfText: SizeOfText): number {
  let size = 2
  for (const [name, entry] of Object.entries(value)) {
    size += name.length + 4 + estimateSize(entry, bound - size, sizeOfText)
    if (size > bound) break
  }
  return size
}

export async function* jsonChunks(value: unknown): AsyncGenerator<Uint8Array> {
  for (const piece of jsonPieces(value)) {
    if (piece instanceof JsonText) yield* yieldingChunks(piece.chunks())
    else yield Buffer.from(piece)
    await nextTurn()
  }
}

async function* yieldingChunks(chunks: ReturnType<JsonText['chunks']>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk
    await nextTurn()
  }
}

export async function jsonBytes(value: unknown): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of jsonChunks(value)) chunks.push(chunk)
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  return joinBytes(chunks, size)
}

/** For a thread that may block. Returns undefined if there would be more than `maxBytes`. */
export function jsonBytesSync(value: unknown, maxBytes: number): Uint8Array<ArrayBuffer> | undefined {
  const chunks: Uint8Array[] = []
  let size = 0
  for (const piece of jsonPieces(value)) {
    const chunk = Buffer.from(piece as string)
    size += chunk.length
    if (size > maxBytes) return undefined
    chunks.push(chunk)
  }
  const joined = new Uint8Array(size)
  let offset = 0
  for (const chunk of chunks) {
    joined.set(chunk, offset)
    offset += chunk.length
  }
  return joined
}
