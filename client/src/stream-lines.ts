/** Marker for a line that exceeds the maximum length; its text is dropped. */
export const tooLong = Symbol('a line that is too long')

/**
 * Yields the lines of a UTF-8 stream, without line endings. A line of more than `maxLength` characters is read to its
 * end but not stored, and `tooLong` is yielded instead. Invalid UTF-8 becomes U+FFFD.
 */
export async function* streamLines(
  stream: AsyncIterable<unknown>,
  maxLength: number,
): AsyncGenerator<string | typeof tooLong> {
  const decoder = new TextDecoder()
  let parts: string[] = []
  let length = 0
  const append = (part: string) => {
    length += part.length
    if (length <= maxLength) parts.push(part)
    else parts = []
  }
  const flush = () => {
    const line = length > maxLength ? tooLong : parts.join('')
    parts = []
    length = 0
    return typeof line === 'string' && line.endsWith('\r') ? line.slice(0, -1) : line
  }
  for await (const chunk of stream) {
    const [first = '', ...rest] = toText(chunk, decoder).split('\n')
    append(first)
    for (const part of rest) {
      yield flush()
      append(part)
    }
  }
  yield flush()
}

function toText(chunk: unknown, decoder: TextDecoder): string {
  return typeof chunk === 'string' ? chunk : decoder.decode(chunk as Uint8Array, { stream: true })
}
