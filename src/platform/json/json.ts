import { readFileSync } from 'node:fs'
import { once } from '../functions.ts'

/** The key in a valid JSON text; every character of it can be written as an escape. Quotes inside a string have a backslash before them. */
const namesPrototype =
  /[{,]\s*"(?:_|\\u005[fF]){2}(?:p|\\u0070)(?:r|\\u0072)(?:o|\\u006[fF])(?:t|\\u0074)(?:o|\\u006[fF])(?:_|\\u005[fF]){2}"\s*:/

/**
 * Parses JSON that a page or a model wrote, without its keys named `__proto__`. Code that copies such a key by assignment would
 * replace the prototype of an object.
 */
export function parseForeignJson(text: string): unknown {
  if (!namesPrototype.test(text)) return JSON.parse(text)
  return JSON.parse(text, (key, value) => (key === '__proto__' ? undefined : value))
}

/** Parses JSON of a caller. Calls `refuse`, which throws, if it has a key named `__proto__`. */
export function parseCallerJson(text: string, refuse: () => never): unknown {
  const value: unknown = JSON.parse(text)
  // A function that looks at every key would take ten times as long as parsing.
  return namesPrototype.test(text) ? refuse() : value
}

const [quote, backslash, comma] = [0x22, 0x5c, 0x2c]
const [openList, closeList, openObject, closeObject] = [0x5b, 0x5d, 0x7b, 0x7d]

/**
 * Whether a JSON text has more levels or more values than this, told from its brackets and commas without parsing it: a text of
 * nothing but brackets or short values takes many times its size in memory, and a second to build, whatever becomes of it
 * afterwards.
 */
export function jsonBeyond(
  text: Buffer,
  most: { levels: number; values: number },
): 'levels' | 'values' | undefined {
  let depth = 0
  let values = 1
  for (let at = 0; at < text.length; at += 1) {
    const byte = text[at]
    if (byte === quote) at = endOfString(text, at)
    else if (byte === comma) values += 1
    else if (byte === closeList || byte === closeObject) depth -= 1
    else if (byte === openList || byte === openObject) {
      depth += 1
      values += 1
    }
    if (depth > most.levels) return 'levels'
    if (values > most.values) return 'values'
  }
  return undefined
}

/** Where a string ends that begins at `start`; the end of the text if it never does. */
function endOfString(text: Buffer, start: number): number {
  for (let at = text.indexOf(quote, start + 1); at >= 0; at = text.indexOf(quote, at + 1)) {
    let slashes = 0
    while (text[at - 1 - slashes] === backslash) slashes += 1
    if (slashes % 2 === 0) return at
  }
  return text.length
}

/**
 * A value that is already serialised as JSON, in another thread or in an earlier call. It is passed on as those bytes: no
 * code on the way has to decode, parse or serialise it again.
 */
export class JsonText {
  /** In bytes. */
  readonly size: number
  readonly chunks: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>

  constructor(size: number, chunks: JsonText['chunks']) {
    this.size = size
    this.chunks = chunks
  }

  static ofBytes(bytes: Uint8Array): JsonText {
    return new JsonText(bytes.length, () => slices(bytes))
  }

  /** Bytes as a JSON string in base64, encoded while it is read. */
  static ofBase64(bytes: Uint8Array, prefix = ''): JsonText {
    const start = Buffer.from(`"${prefix}`)
    const size = start.length + Math.ceil(bytes.length / 3) * 4 + 1
    return new JsonText(size, () => base64Chunks(start, bytes))
  }

  /** The parsed value, for code that has to inspect it; not for large responses. */
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
/** Three bytes become four characters, so the data may only be split after multiples of three. */
const groupBytes = 48 * 1024

function* slices(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes)
}

function* base64Chunks(start: Uint8Array, bytes: Uint8Array): Generator<Uint8Array> {
  yield start
  for (let at = 0; at < bytes.length; at += groupBytes) {
    const { buffer, byteOffset } = bytes.subarray(at)
    const length = Math.min(groupBytes, bytes.length - at)
    yield Buffer.from(Buffer.from(buffer, byteOffset, length).toString('base64'), 'latin1')
  }
  yield Buffer.from('"')
}

/**
 * Returns a function that reads a JSON file of `src/` on its first call, so that a start does not pay for data it may not need. The
 * shape is not checked here: `src/data-files.test.ts` has a schema for each file.
 */
export function jsonFile<Data>(url: URL): () => Data {
  return once(() => JSON.parse(readFileSync(url, 'utf8')) as Data)
}
