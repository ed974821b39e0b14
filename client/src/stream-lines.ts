/** A line that is longer than a reader accepts; its text was dropped. */
export const tooLong = Symbol('a line that is too long')

/**
 * The lines of a stream of UTF-8, without their ends. A line with more than `maxLength` characters is read to its end, but not kept.
 * Bytes that are not UTF-8 become U+FFFD.
 */
export async function* streamLines(
  stream: AsyncIterable<unknown>,
  maxLength: number,
): AsyncGenerator<string | typeof tooLong> {
  const decoder = new TextDecoder()
  let parts: string[] = []
  let length = 0
  const keep = (part: string) => {
    length += part.length
    if (length <= maxLength) parts.push(part)
    else parts = []
  }
  const take = () => {
    const line = length > maxLength ? tooLong : parts.join('')
    parts = []
    length = 0
    return typeof line === 'string' && line.endsWith('\r') ? line.slice(0, -1) : line
  }
  for await (const chunk of stream) {
    const [first = '', ...more] = textOf(chunk, decoder).split('\n')
    keep(first)
    for (const next of more) {
      yield take()
      keep(next)
    }
  }
  yield take()
}

function textOf(chunk: unknown, decoder: TextDecoder): string {
  return typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true })
}
