import { afterEach, describe, expect, it } from 'vitest'
import { endJobScenes, jobScene } from '../../test/jobs.ts'
import { createApiKey, issueKey } from '../accounts/keys.ts'
import { consoleKey } from './console-key.ts'

afterEach(endJobScenes)

async function setup() {
  const jobs = await jobScene()
  const { id: teamId } = await jobs.team('team')
  const key = createApiKey()
  await issueKey(jobs.store.query, { teamId, isOperator: true, now: 0, key })
  const keyFile = { read: () => key, write: () => undefined }
  return { key, time: jobs.time, codes: consoleKey({ ...jobs.deps, keyFile }) }
}

describe('console code', () => {
  it('is exchanged for the key within ten minutes', async () => {
    const { key, time, codes } = await setup()
    const first = (await codes.newCode()) ?? ''
    time.now += 10 * 60_000
    expect(await codes.exchange(first)).toBe(key)
    const second = (await codes.newCode()) ?? ''
    time.now += 10 * 60_000 + 1
    await expect(codes.exchange(second)).rejects.toMatchObject({ code: 'CONSOLE_CODE_INVALID' })
  })

  it('becomes invalid when another code is created', async () => {
    const { key, codes } = await setup()
    const first = (await codes.newCode()) ?? ''
    const second = (await codes.newCode()) ?? ''
    await expect(codes.exchange(first)).rejects.toMatchObject({ code: 'CONSOLE_CODE_INVALID' })
    expect(await codes.exchange(second)).toBe(key)
  })
})
