import { afterEach, expect, it } from 'vitest'
import { type PipeBrowser, startPipeBrowser } from '../../../test/servers/pipe-browser.ts'
import { connectDriver } from './caller.ts'
import type { CdpMultiplexer } from './multiplexer.ts'

let browser: PipeBrowser | undefined
afterEach(() => browser?.stop())

/** A switch that hands out what it hears in bursts, as a pipe does on a busy machine. */
function inBursts(cdp: CdpMultiplexer): CdpMultiplexer {
  return {
    ...cdp,
    join(client) {
      const held: string[] = []
      setInterval(() => {
        for (const message of held.splice(0)) client.receive(message)
      }, 50).unref()
      return cdp.join({ ...client, receive: (message) => void held.push(message) })
    },
  }
}

it('is answered by a page whose messages come all at once', async () => {
  browser = startPipeBrowser()
  const driver = await connectDriver(inBursts(browser.cdp))
  const [page] = driver.contexts()[0]?.pages() ?? []
  expect(await page?.evaluate('1 + 1')).toBe(2)
})
