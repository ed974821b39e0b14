import { type Browser, chromium } from 'playwright-core'
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
    receive: (text) => transport.onmessage?.(JSON.parse(text)),
    closed: () => transport.onclose?.(),
  })
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
