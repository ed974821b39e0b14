export interface ServerEvent {
  type: string
  data: unknown
}

/** More than any event of the service: what does not end before it is no event stream. */
const maxWaiting = 64 * 1024 * 1024

/** Server-sent events of JSON, as they come. */
export async function* readEvents(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<ServerEvent, void, void> {
  const reader = stream.getReader()
  const decoder = new TextDecoder()
  let waiting: string[] = []
  let size = 0
  let before = ''
  try {
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      const text = decoder.decode(value, { stream: true })
      waiting.push(text)
      size += text.length
      if (size > maxWaiting) throw new TypeError('The stream has an event of more than 64 MB.')
      // Joined only where an event ends, so that a long one is not copied with each part of it.
      const isEnd = (lastOf(before) + text).includes('\n\n')
      before = text === '' ? before : text
      if (!isEnd) continue
      const blocks = waiting.join('').split('\n\n')
      waiting = [blocks.pop() ?? '']
      size = waiting[0]?.length ?? 0
      for (const block of blocks) {
        const event = eventIn(block)
        if (event) yield event
      }
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

function lastOf(text: string): string {
  return text.slice(-1)
}

function eventIn(block: string): ServerEvent | undefined {
  let type = 'message'
  const data: string[] = []
  for (const line of block.split('\n')) {
    if (line.startsWith('event: ')) type = line.slice('event: '.length)
    if (line.startsWith('data: ')) data.push(line.slice('data: '.length))
  }
  return data.length === 0 ? undefined : { type, data: JSON.parse(data.join('\n')) }
}
