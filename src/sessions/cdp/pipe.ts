import type { Readable, Writable } from 'node:stream'
import { listener } from '../../platform/functions.ts'
import { createThrottle } from '../outbox.ts'

export type BrowserPipe = ReturnType<typeof createBrowserPipe>

/** Maximum size of a browser message: half of the longest string that V8 supports. */
const maxBytes = 256 * 1024 * 1024

/** Number of bytes whose reading takes as long as routing one message. */
const bytesPerMessage = 2048

export function createBrowserPipe(
  { toBrowser, fromBrowser }: { toBrowser: Writable; fromBrowser: Readable },
  events: { onMessage(text: string): void; onEnd(): void },
) {
  let parts: Buffer[] = []
  let bufferedBytes = 0
  let hasEnded = false
  let draining: Promise<void> | undefined
  const throttle = createThrottle(fromBrowser)

  function end(): void {
    if (hasEnded) return
    hasEnded = true
    parts = []
    // Chromium exits when its pipe closes, so that no unreachable browser is left.
    toBrowser.destroy()
    fromBrowser.destroy()
    events.onEnd()
  }

  function dispatch(text: string): void {
    if (hasEnded) return
    try {
      events.onMessage(text)
    } catch {
      // A browser that violates the protocol may be compromised.
      end()
    }
  }

  function onData(chunk: Buffer): void {
    let start = 0
    let messages = 0
    for (let zero = chunk.indexOf(0); zero >= 0; zero = chunk.indexOf(0, start)) {
      parts.push(chunk.subarray(start, zero))
      const text = parts.length === 1 ? String(parts[0]) : Buffer.concat(parts).toString()
      parts = []
      bufferedBytes = 0
      start = zero + 1
      dispatch(text)
      messages += 1
    }
    // Throttled, because a page can make its browser send endless events.
    throttle(chunk.length + messages * bytesPerMessage)
    if (start === chunk.length || hasEnded) return
    parts.push(start === 0 ? chunk : chunk.subarray(start))
    bufferedBytes += chunk.length - start
    if (bufferedBytes > maxBytes) end()
  }

  fromBrowser.on('data', listener(onData, end))
  for (const stream of [fromBrowser, toBrowser]) {
    stream.on('error', end)
    stream.on('close', end)
  }
  fromBrowser.on('end', end)

  return {
    write: (message: string) => hasEnded || toBrowser.destroyed || toBrowser.write(`${message}\0`),
    drained(): Promise<void> {
      if (hasEnded || !toBrowser.writableNeedDrain) return Promise.resolve()
      draining ??= new Promise((resolve) => {
        const settle = () => {
          toBrowser.off('drain', settle).off('close', settle)
          draining = undefined
          resolve()
        }
        toBrowser.on('drain', settle).on('close', settle)
      })
      return draining
    },
  }
}
