import { expect } from 'vitest'
import { call, type Json, type OwnService } from './api.ts'
import { until } from './servers/until.ts'

/** Starts an extract or an agent and returns the response with its id. */
export async function startJob(path: string, body: object, service: Pick<OwnService, 'call'> = { call }) {
  const response = await service.call('POST', path, { body })
  expect(response).toMatchObject({ status: 200, body: { success: true } })
  return response.body
}

/** Runs an extract or an agent to its end and returns its result. */
export async function runJob(
  path: string,
  body: object,
  service: Pick<OwnService, 'call'> = { call },
): Promise<Json> {
  const { id } = await startJob(path, body, service)
  return ended(`${path}/${id}`, service)
}

export function ended(path: string, service: Pick<OwnService, 'call'> = { call }): Promise<Json> {
  return until(`the end of ${path}`, 50_000, async () => {
    const { body } = await service.call('GET', path)
    return body.status === 'processing' ? undefined : body
  })
}

export const runExtract = (body: object, service?: Pick<OwnService, 'call'>) =>
  runJob('/v2/extract', body, service)
