/**
 * A value that is written as JSON already, in another thread or in an earlier call. It is handed on as the bytes it was
 * written in: nobody who passes it on has to hold it as text, read it or write it again.
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

  /** Bytes as a JSON string in base64, written while it is read. */
  static ofBase64(bytes: Uint8Array, prefix = ''): JsonText {
    const start = Buffer.from(`"${prefix}`)
    const size = start.length + Math.ceil(bytes.length / 3) * 4 + 1
    return new JsonText(size, () => base64Chunks(start, bytes))
  }

  /** The value itself, for those who have to look into it: not for the road of a large answer. */
  async value(): Promise<unknown> {
    const chunks: Uint8Array[] = []
    for await (const chunk of this.chunks()) chunks.push(chunk)
    return JSON.parse(Buffer.concat(chunks).toString())
  }

  /** Whoever writes it by JSON.stringify would hold up everybody, so that is a mistake. */
  toJSON(): never {
    throw new Error('A JsonText is written by jsonPieces')
  }
}

const chunkBytes = 64 * 1024
/** Three bytes are four characters, so only whole groups of three may be cut. */
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
