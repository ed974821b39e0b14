import type { Browser } from 'playwright-core'
import type { CdpSwitch } from './switch.ts'

/** Playwright of the service itself on the browser's default context; for replay, prompts, profiles. */
export async function connectDriver(cdp: CdpSwitch): Promise<Browser> {
  const transport: Transport = {
    send: (message) => void client.send(JSON.stringify(withoutDownloads(message))),
    close() {
      client.leave()
      transport.onclose?.()
    },
  }
  const client = await cdp.join({
    kind: 'service',
    // Each in a turn of its own, as they come over a socket: what Playwright waits for one of them must have gone on
    // before it meets the next. Turns come in the order they were asked for.
    receive: (text) => void setImmediate(() => transport.onmessage?.(JSON.parse(text))),
    closed: () => void setImmediate(() => transport.onclose?.()),
  })
  // Loaded with the first session that needs it: a service that never drives a browser should not carry it in memory.
  const { chromium } = await import('playwright-core')
  return chromium.connectOverCDP(transport)
}

/** Playwright names a folder of this machine for downloads, which is no place inside the browser's sandbox. */
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
