import { useEffect } from 'react'
import { readEvents, type ServerEvent } from '../../../client/src/event-stream.ts'
import { useKey } from './key.ts'
import { isClientError, openResponse } from './request.ts'

/**
 * Subscribes to server-sent events while the component is mounted. Reconnects until a `done` event or a 4xx response.
 */
export function useEvents(path: string | undefined, onEvent: (event: ServerEvent) => void): void {
  const key = useKey()
  useEffect(() => {
    if (path === undefined || key === undefined) return
    const controller = new AbortController()
    void followStream(path, onEvent, controller.signal)
    return () => controller.abort()
    // A changed callback opens a new stream, so callers must memoise it.
  }, [path, key, onEvent])
}

async function followStream(path: string, onEvent: (event: ServerEvent) => void, signal: AbortSignal) {
  for (let delayMs = 1000; !signal.aborted; delayMs = Math.min(30_000, delayMs * 2)) {
    try {
      const { body } = await openResponse(path, { signal })
      // EventSource cannot send an Authorization header, so fetch reads the stream.
      for await (const event of body ? readEvents(body) : []) {
        delayMs = 1000
        onEvent(event)
        if (event.type === 'done') return
      }
    } catch (thrown) {
      if (isClientError(thrown)) return
      // The connection was lost: reconnect after the delay.
    }
    if (!signal.aborted) await new Promise((resolve) => setTimeout(resolve, delayMs))
  }
}
