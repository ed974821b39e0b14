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
