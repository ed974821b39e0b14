import { afterAll, beforeAll, expect, it } from 'vitest'
import { type OwnService, startOwnService } from '../api.ts'

let first: OwnService
let second: OwnService
beforeAll(async () => {
  first = await startOwnService()
  second = await first.again()
})
afterAll(async () => {
  await second.kill()
  await first.remove()
})

it('the listener of another process of the installation is a forbidden target', async () => {
  const read = (from: OwnService, target: OwnService) =>
    from.call('POST', '/v2/scrape', { body: { url: `${target.url}/health`, fastMode: true, maxAge: 0 } })
  for (const [from, target] of [
    [first, second],
    [second, first],
    [first, first],
  ] as const)
    await expect.poll(async () => (await read(from, target)).body.code).toBe('TARGET_FORBIDDEN')
})
