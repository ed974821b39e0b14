import { readFileSync } from 'node:fs'
import { lazy } from '../functions.ts'

/** Matches the key `__proto__`, also with escapes. Quotes inside a string follow a backslash, so they do not match. */
const prototypeKey =
  /[{,]\s*"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/

/** Omits keys named `__proto__`: code that copies such a key would replace the prototype of an object. */
export function parseForeignJson(text: string): unknown {
  if (!prototypeKey.test(text)) return JSON.parse(text)
  return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value))
}

export function parseCallerJson(text: string, reject: () => never): unknown {
  const value: unknown = JSON.parse(text)
  // A reviver that checks every key would take ten times as long as parsing.
  return prototypeKey.test(text) ? reject() : value
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/** Counts without parsing: brackets or short values take many times their size in memory, and a second to parse. */
export function findExceededJsonLimit(text: Buffer, max: { levels: number; values: number }) {
  let depth = 0
  let values = 1
  for (let index = 0; index < text.length; index += 1) {
    const byte = text[index]
    if (byte === quote) index = endOfString(text, index)
    else if (byte === comma) values += 1
    else if (byte === closeList || byte === closeObject) depth -= 1
    else if (byte === openList || byte === openObject) {
      depth += 1
      values += 1
    }
    if (depth > max.levels) return 'levels'
    if (values > max.values) return 'values'
  }
  return undefined
}

function endOfString(text: Buffer, start: number): number {
  for (let index = text.indexOf(quote, start + 1); index >= 0; index = text.indexOf(quote, index + 1)) {
    let slashes = 0
    while (text[index - 1 - slashes] === backslash) slashes += 1
    if (slashes % 2 === 0) return index
  }
  return text.length
}

/** Value that was already serialised, in another thread or in an earlier call. It is written as bytes. */
export class JsonText {
  readonly size: number
  readonly chunks: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>

  constructor(size: number, chunks: JsonText['chunks']) {
    this.size = size
    this.chunks = chunks
  }

  static ofBytes(bytes: Uint8Array): JsonText {
    return new JsonText(bytes.length, () => slices(bytes))
  }

  static ofBase64(bytes: Uint8Array, prefix = ''): JsonText {
    const start = Buffer.from(`"${prefix}`)
    const size = start.length + Math.ceil(bytes.length / 3) * 4 + 1
    return new JsonText(size, () => base64Chunks(start, bytes))
  }

  async value(): Promise<unknown> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this.chunks()) chunks.push(chunk)
    return JSON.parse(Buffer.concat(chunks).toString())
  }

  /** JSON.stringify would block the event loop, so using it here is a bug. */
  toJSON(): never {
    throw new Error('A JsonText is written by jsonPieces')
  }
}

const chunkBytes = 64 * 1024
/** Bytes that are encoded per chunk: a multiple of three, because three bytes become four characters. */
const groupBytes = 48 * 1024

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let offset = 0; offset < bytes.length; offset += chunkBytes)
    yield bytes.subarray(offset, offset + chunkBytes)
}

function* base64Chunks(start: Uint8Array, bytes: Uint8Array): Generator<Uint8Array> {
  yield start
  for (let offset = 0; offset < bytes.length; offset += groupBytes) {
    const { buffer, byteOffset } = bytes.subarray(offset)
    const length = Math.min(groupBytes, bytes.length - offset)
    yield Buffer.from(Buffer.from(buffer, byteOffset, length).toString('base64'), 'latin1')
  }
  yield Buffer.from('"')
}

/** Reads on the first call, for a fast start. `src/data-files.test.ts` has a schema for each file. */
export function jsonFile<Data>(url: URL): () => Data {
  return lazy(() => JSON.parse(readFileSync(url, 'utf8')) as Data)
}
