import { afterEach, expect, it } from 'vitest'
import { type PipeBrowser, startPipeBrowser } from '../../../test/servers/pipe-browser.ts'
import { connectDriver } from './caller.ts'
import type { CdpMultiplexer } from './multiplexer.ts'

let browser: PipeBrowser | undefined
afterEach(() => browser?.stop())

/** Wraps a multiplexer so that it delivers messages in bursts, like a pipe on a busy machine. */
function withBursts(cdp: CdpMultiplexer): CdpMultiplexer {
  return {
    ...cdp,
    join(client) {
      const buffered: string[] = []
      setInterval(() => {
        for (const message of buffered.splice(0)) client.receive(message)
      }, 50).unref()
      return cdp.join({ ...client, receive: (message) => void buffered.push(message) })
    },
  }
}

it('connectDriver works if all messages arrive in one burst', async () => {
  browser = startPipeBrowser()
  const driver = await connectDriver(withBursts(browser.cdp))
  const [page] = driver.contexts()[0]?.pages() ?? []
  expect(await page?.evaluate('1 + 1')).toBe(2)
})
