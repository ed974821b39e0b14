import type { Browser } from 'playwright-core'
import { loadPlaywright } from '../../platform/chromium/load-playwright.ts'
import type { CdpParams } from './allow-list.ts'
import type { CdpMultiplexer } from './multiplexer.ts'

export type Caller = Awaited<ReturnType<typeof connectCaller>>

export async function connectCaller(
  cdp: CdpMultiplexer,
  events: {
    onEvent(method: string, params: CdpParams, sessionId: string | undefined): void
    onClosed(): void
  },
) {
  const pendingCalls = new Map<number, { resolve(result: unknown): void; reject(error: Error): void }>()
  let lastId = 0
  let hasEnded = false

  function rejectAll(): void {
    hasEnded = true
    for (const { reject } of pendingCalls.values()) reject(endedError())
    pendingCalls.clear()
  }

  const client = await cdp.join({
    kind: 'service',
    receive(text) {
      const { id, method, params, sessionId, result, error } = JSON.parse(text)
      if (id === undefined) return events.onEvent(method, params ?? {}, sessionId)
      const pending = pendingCalls.get(id)
      pendingCalls.delete(id)
      if (error) pending?.reject(new Error(error.message))
      else pending?.resolve(result)
    },
    closed() {
      rejectAll()
      events.onClosed()
    },
  })

  return {
    call<Result = unknown>(method: string, params: object = {}, sessionId?: string): Promise<Result> {
      lastId += 1
      const id = lastId
      if (hasEnded) return Promise.reject(endedError())
      return new Promise((resolve, reject) => {
        // The caller knows the result type of the method, so the type parameter is trusted.
        pendingCalls.set(id, { resolve: (result) => resolve(result as Result), reject })
        client.send(JSON.stringify({ id, method, params, sessionId }))
      })
    },
    disconnect() {
      rejectAll()
      client.disconnect()
    },
  }
}

const endedError = () => new Error('The browser has ended')

export async function connectDriver(cdp: CdpMultiplexer): Promise<Browser> {
  const transport: Transport = {
    send: (message) => void client.send(JSON.stringify(withoutDownloads(message))),
    close() {
      client.disconnect()
      transport.onclose?.()
    },
  }
  const client = await cdp.join({
    kind: 'service',
    // Playwright must process the promises of one message before the next, so each has its own turn of the event loop.
    receive: (text) => void setImmediate(() => transport.onmessage?.(JSON.parse(text))),
    closed: () => void setImmediate(() => transport.onclose?.()),
  })
  const { chromium } = await loadPlaywright()
  return chromium.connectOverCDP(transport)
}

/** Removes the download folder that Playwright sets, because its path does not exist inside the browser's sandbox. */
function withoutDownloads(message: { method?: string; params?: object }): object {
  if (message.method !== 'Browser.setDownloadBehavior') return message
  return { ...message, params: { ...message.params, behavior: 'deny', downloadPath: undefined } }
}

interface Transport {
  send(message: object): void
  close(): void
  onmessage?: (message: object) => void
  onclose?: (reason?: string) => void
}
