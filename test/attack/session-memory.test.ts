import { afterAll, beforeAll, expect, inject, it } from 'vitest'
import { callAt, type OwnService, startOwnService } from '../api.ts'

let service: OwnService
/** A second process on the same machine, if the store supports several. */
let second: OwnService

beforeAll(async () => {
  const memory = { SESSION_MEMORY_MB: '2000', CODE_MEMORY_MB: '1024', SESSIONS_MEMORY_MB: '6100' }
  service = await startOwnService(memory)
  second = inject('deployment').store === 'sqlite' ? service : await service.again()
}, 60_000)
afterAll(async () => {
  await second.stop()
  await service.remove()
})

it('admits only as many sessions as the machine has memory for, across all teams and processes', async () => {
  const keys = [await service.newTeam(), await service.newTeam(), await service.newTeam()]
  const open = (key: string, index: number) =>
    callAt([service, second][index % 2]?.url ?? '', 'POST', '/v2/browser', { key, body: { ttl: 60 } })
  const responses = await Promise.all([...keys, ...keys].map(open))
  const opened = responses.filter(({ status }) => status === 200)
  const rejected = responses.filter(({ status }) => status !== 200)
  expect(opened).toHaveLength(2)
  for (const { status, body } of rejected)
    expect({ status, code: body.code, limit: body.limit }).toEqual({
      ...{ status: 503, code: 'SESSION_MEMORY_EXHAUSTED', limit: 2 },
    })
  const owner = keys[responses.findIndex(({ status }) => status === 200) % keys.length] ?? ''
  await callAt(service.url, 'DELETE', `/v2/browser/${opened[0]?.body.id}`, { key: owner })
  expect((await open(keys[0] ?? '', 1)).status).toBe(200)
})
