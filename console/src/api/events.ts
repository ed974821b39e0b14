import { useEffect } from 'react'
import { useKey } from './key.ts'
import { send } from './request.ts'

export interface ServerEvent {
  type: string
  data: unknown
}

/** Follows a stream of server-sent events while the component is shown. It is opened again when it ends. */
export function useEvents(path: string | undefined, onEvent: (event: ServerEvent) => void): void {
  const key = useKey()
  useEffect(() => {
    if (path === undefined || key === undefined) return
    const gone = new AbortController()
    void follow(path, onEvent, gone.signal)
    return () => gone.abort()
    // The callback may be another one with each rendering; the stream is not.
  }, [path, key, onEvent])
}

async function follow(path: string, onEvent: (event: ServerEvent) => void, signal: AbortSignal) {
  for (let pause = 1000; !signal.aborted; pause = Math.min(30_000, pause * 2)) {
    try {
      const answer = await send('GET', path, { signal })
      if (answer.status < 500 && !answer.ok) return
      for await (const event of eventsIn(answer)) {
        pause = 1000
        onEvent(event)
        if (event.type === 'done') return
      }
    } catch {
      // The connection was lost; it is tried again below, unless nobody wants it any more.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pause))
  }
}

/** EventSource sends no key, so the stream is read as it comes. */
async function* eventsIn(answer: Response): AsyncGenerator<ServerEvent> {
  if (!answer.body) return
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader()
  let rest = ''
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    rest += part.value
    const blocks = rest.split('\n\n')
    rest = blocks.pop() ?? ''
    for (const block of blocks) {
      const event = readBlock(block)
      if (event) yield event
    }
  }
}

function readBlock(block: string): ServerEvent | undefined {
  const lines = block.split('\n')
  const type = lines
    .find((line) => line.startsWith('event:'))
    ?.slice(6)
    .trim()
  const data = lines
    .filter((line) => line.startsWith('data:'))
    .map((line) => line.slice(5).trim())
    .join('\n')
  if (data === '') return undefined
  return { type: type ?? 'message', data: JSON.parse(data) as unknown }
}
