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
    // Each message in a separate turn of the event loop, as over a socket: Playwright must process the promises of one
    // message before the next. Turns keep their order.
    receive: (text) => void setImmediate(() => transport.onmessage?.(JSON.parse(text))),
    closed: () => void setImmediate(() => transport.onclose?.()),
  })
  // Loaded with the first session that needs it: a service that never drives a browser should not keep it in memory.
  const { chromium } = await import('playwright-core')
  return chromium.connectOverCDP(transport)
}

/** Playwright sets a download folder of this machine, which does not exist inside the browser's sandbox. */
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
