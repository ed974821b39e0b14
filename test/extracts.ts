import { expect } from 'vitest'
import { call, type Json, type OwnService } from './api.ts'
import { until } from './servers/until.ts'

/** Starts an extract or an agent and answers its id. */
export async function startGathering(path: string, body: object, at: Pick<OwnService, 'call'> = { call }) {
  const answer = await at.call('POST', path, { body })
  expect(answer).toMatchObject({ status: 200, body: { success: true } })
  return answer.body
}

/** What it came to, once it has ended. */
export async function gathered(
  path: string,
  body: object,
  at: Pick<OwnService, 'call'> = { call },
): Promise<Json> {
  const { id } = await startGathering(path, body, at)
  return ended(`${path}/${id}`, at)
}

export function ended(path: string, at: Pick<OwnService, 'call'> = { call }): Promise<Json> {
  return until(`the end of ${path}`, 50_000, async () => {
    const { body } = await at.call('GET', path)
    return body.status === 'processing' ? undefined : body
  })
}

export const extracted = (body: object, at?: Pick<OwnService, 'call'>) => gathered('/v2/extract', body, at)
