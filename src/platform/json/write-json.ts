import { setImmediate as nextTurn } from 'node:timers/promises'
import { joinBytes } from './join-bytes.ts'
import { JsonText } from './json.ts'

/** Characters of one piece: serialised within a fraction of a millisecond. */
const pieceLength = 32 * 1024

/**
 * A value as JSON, in pieces that are short enough to serialise between two turns of the event loop. The result is exactly
 * that of JSON.stringify.
 */
export function* jsonPieces(value: unknown): Generator<string | JsonText> {
  const writer = { text: '' }
  yield* write(writer, value)
  if (writer.text !== '') yield writer.text
}

interface Writer {
  text: string
}

function* write(writer: Writer, given: unknown): Generator<string | JsonText> {
  if (given instanceof JsonText) {
    if (writer.text !== '') yield writer.text
    writer.text = ''
    yield given
    return
  }
  const value = hasToJson(given) ? given.toJSON() : given
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
  for (const [name, inside] of Object.entries(value)) {
    if (inside === undefined || typeof inside === 'function' || typeof inside === 'symbol') continue
    writer.text += `${isFirst ? '' : ','}${JSON.stringify(name)}:`
    isFirst = false
    yield* write(writer, inside)
  }
  writer.text += '}'
}

function* writeLong(writer: Writer, text: string): Generator<string> {
  yield `${writer.text}"`
  writer.text = ''
  for (let at = 0; at < text.length; ) {
    const end = pieceEnd(text, at)
    yield JSON.stringify(text.slice(at, end)).slice(1, -1)
    at = end
  }
  writer.text += '"'
}

/** Where a piece of a text ends: surrogate pairs are not split. */
function pieceEnd(text: string, start: number): number {
  const end = Math.min(start + pieceLength, text.length)
  const last = text.charCodeAt(end - 1)
  return end < text.length && last >= 0xd8_00 && last <= 0xdb_ff ? end - 1 : end
}

function hasToJson(value: unknown): value is { toJSON(): unknown } {
  return (
    typeof value === 'object' && value !== null && 'toJSON' in value && typeof value.toJSON === 'function'
  )
}

/** The approximate length of a value as JSON; counting stops above the bound. */
export function jsonSize(value: unknown, bound: number): number {
  return sizeOf(value, bound, (text) => text.size)
}

/** Whether JSON.stringify can serialise a value in one step: it is short, and no part of it is already serialised. */
export function isShort(value: unknown, bound: number): boolean {
  return sizeOf(value, bound, () => Infinity) <= bound
}

type SizeOfText = (text: JsonText) => number

function sizeOf(value: unknown, bound: number, written: SizeOfText): number {
  if (typeof value === 'string') return value.length + 3
  if (typeof value !== 'object' || value === null) return 6
  if (value instanceof JsonText) return written(value)
  return Array.isArray(value) ? arraySize(value, bound, written) : objectSize(value, bound, written)
}

function arraySize(value: readonly unknown[], bound: number, written: SizeOfText): number {
  let size = 2
  for (let index = 0; index < value.length && size <= bound; index += 1) {
    size += 1 + sizeOf(value[index], bound - size, written)
  }
  return size
}

function objectSize(value: object, bound: number, written: SizeOfText): number {
  let size = 2
  for (const [name, inside] of Object.entries(value)) {
    size += name.length + 4 + sizeOf(inside, bound - size, written)
    if (size > bound) break
  }
  return size
}

/** The same pieces as bytes; it yields to the event loop between them. */
export async function* jsonChunks(value: unknown): AsyncGenerator<Uint8Array> {
  for (const piece of jsonPieces(value)) {
    if (piece instanceof JsonText) yield* turning(piece.chunks())
    else yield Buffer.from(piece)
    await nextTurn()
  }
}

async function* turning(chunks: ReturnType<JsonText['chunks']>): AsyncGenerator<Uint8Array> {
  for await (const chunk of chunks) {
    yield chunk
    await nextTurn()
  }
}

/** The whole text, built without blocking the event loop. */
export async function jsonBytes(value: unknown): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of jsonChunks(value)) chunks.push(chunk)
  const size = chunks.reduce((sum, chunk) => sum + chunk.length, 0)
  return joinBytes(chunks, size)
}

/** The same for a thread that may block; undefined if it would be longer than this. */
export function jsonBytesAtOnce(value: unknown, most: number): Uint8Array<ArrayBuffer> | undefined {
  const chunks: Uint8Array[] = []
  let size = 0
  for (const piece of jsonPieces(value)) {
    const chunk = Buffer.from(piece as string)
    size += chunk.length
    if (size > most) return undefined
    chunks.push(chunk)
  }
  const whole = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
