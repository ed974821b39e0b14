import { expect } from 'vitest'
import { call, type Json } from './api.ts'

/** Starts a crawl on the deployment under test. */
export async function start(body: object): Promise<Json> {
  const response = await call('POST', '/v2/crawl', { body })
  expect(response).toMatchObject({ status: 200 })
  return response.body
}

export const read = async (id: string, query = '') => (await call('GET', `/v2/crawl/${id}${query}`)).body
export const errorsOf = async (id: string) => (await call('GET', `/v2/crawl/${id}/errors`)).body

export async function finished(id: string): Promise<Json> {
  await expect.poll(async () => (await read(id, '?limit=1')).status, { timeout: 40_000 }).not.toBe('scraping')
  return read(id)
}

/** Runs a crawl to its end. Returns its status and the paths of its documents. */
export async function crawl(body: object): Promise<Json> {
  const { id } = await start({ ...body, scrapeOptions: { maxAge: 0 } })
  const done = await finished(id)
  const paths = done.data.map((document: Json) => {
    const { pathname, search } = new URL(document.metadata.url)
    return pathname + search
  })
  return { id, ...done, paths: paths.sort() }
}
