export interface ServerEvent {
  type: string
  data: unknown
}

/**
 * Maximum number of buffered characters. Events of the service are shorter, so longer input is not an event stream.
 */
const maxBufferedLength = 64 * 1024 * 1024

/** Yields server-sent events with JSON data as they arrive. */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let buffered: string[] = []
  let size = 0
  let previousChunk = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const text = decoder.decode(value, { stream: true })
      buffered.push(text)
      size += text.length
      if (size > maxBufferedLength) throw new TypeError('The stream has an event of more than 64 MB.')
      // Chunks are joined only at the end of an event, because joining each chunk would copy a long event repeatedly.
      const hasEventEnd = (lastCharacter(previousChunk) + text).includes('\n\n')
      previousChunk = text === '' ? previousChunk : text
      if (!hasEventEnd) continue
      const blocks = buffered.join('').split('\n\n')
      buffered = [blocks.pop() ?? '']
      size = buffered[0]?.length ?? 0
      for (const block of blocks) {
        const event = parseEvent(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function lastCharacter(text: string): string {
  return text.slice(-1)
}

function parseEvent(block: string): ServerEvent | undefined {
  let type = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) type = line.slice('event: '.length)
    if (line.startsWith('data: ')) data.push(line.slice('data: '.length))
  }
  return data.length === 0 ? undefined : { type, data: JSON.parse(data.join('\n')) }
}
