import { useEffect } from 'react'
import { readEvents, type ServerEvent } from '../../../client/src/event-stream.ts'
import { useKey } from './key.ts'
import { isRefusal, open } from './request.ts'

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
      const { body } = await open(path, { signal })
      // EventSource sends no key, so the stream is read as it comes.
      for await (const event of body ? readEvents(body) : []) {
        pause = 1000
        onEvent(event)
        if (event.type === 'done') return
      }
    } catch (thrown) {
      if (isRefusal(thrown)) return
      // The connection was lost; it is tried again below, unless nobody wants it any more.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, pause))
  }
}
