import { once } from 'node:events'
import { Readable } from 'node:stream'
import { ZipFile } from 'yazl'

export interface ZippedFile {
  name: string
  bytes: Uint8Array
}

/** Written in pieces, so that the sum over each takes no time to speak of. */
const pieceBytes = 64 * 1024

/** Files as a zip, one after the other, each taken when the one before is written: as fast as it is read. */
export async function* zip(files: AsyncIterable<ZippedFile>): AsyncGenerator<Uint8Array> {
  const archive = new ZipFile()
  // The type of the package is that of streams in general; it is one of bytes.
  const output = archive.outputStream as Readable
  let current: Readable | undefined
  async function fill(): Promise<void> {
    for await (const { name, bytes } of files) {
      current = Readable.from(pieces(bytes), { objectMode: false })
      const closed = once(current, 'close')
      archive.addReadStream(current, name, { mtime, mode: 0o100_644 })
      await closed
      if (output.destroyed) return
    }
    archive.end()
  }
  const filling = fill().catch((cause) => {
    output.destroy(cause instanceof Error ? cause : new Error('The files of a zip could not be read.'))
  })
  try {
    for await (const chunk of output) yield chunk
  } finally {
    output.destroy()
    current?.destroy()
    await filling
  }
}

/** The same for all: two downloads of the same pages are the same. */
const mtime = new Date('1980-01-02T00:00:00Z')

function* pieces(bytes: Uint8Array): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes)
}
