import { describe, expect, it } from 'vitest'
import {
  headersOf,
  isSubscribed,
  metadataOf,
  noAttempts,
  readAttempts,
  withAttempt,
  writeWebhook,
} from './delivery.ts'

const jobColumns = { job_id: 'job', kind: 'crawl' }
const url = 'https://receiver.example/'

describe('webhook row', () => {
  it('stores headers, metadata and events', () => {
    const webhook = {
      url,
      headers: { 'x-a': '1' },
      metadata: { list: [{ nested: null }] },
      events: ['crawl.page'],
    }
    const row = { ...jobColumns, ...writeWebhook(webhook) }
    expect(headersOf(row)).toEqual(webhook.headers)
    expect(metadataOf(row)).toEqual(webhook.metadata)
    expect([isSubscribed(row, 'page'), isSubscribed(row, 'completed')]).toEqual([true, false])
  })

  it('subscribes to all events and has no metadata by default', () => {
    const row = { ...jobColumns, ...writeWebhook({ url, headers: {} }) }
    expect(isSubscribed(row, 'cancelled')).toBe(true)
    expect(metadataOf(row)).toBeUndefined()
  })

  it('names the damaged column in the error', () => {
    const row = { ...jobColumns, url, headers: '{"x-a":1}', metadata: '[]', events: '{}' }
    expect(() => headersOf(row)).toThrow('webhooks.headers')
    expect(() => metadataOf(row)).toThrow('webhooks.metadata')
    expect(() => isSubscribed(row, 'page')).toThrow('webhooks.events')
  })
})

describe('log of a delivery', () => {
  const attempt = (ms: number) => ({ at: '2026-01-01T00:00:00.000Z', ms, status: 200 })

  it('stores the last twenty attempts', () => {
    let log = noAttempts
    for (let ms = 1; ms <= 25; ms += 1) log = withAttempt(log, attempt(ms))
    expect(readAttempts(log)).toEqual(Array.from({ length: 20 }, (_, index) => attempt(index + 6)))
  })

  it('reads logs of the previous version', () => {
    const text =
      '[{"at":"2026-01-01T00:00:00.000Z","ms":12,"error":"The receiver did not answer within 10 s."}]'
    expect(readAttempts(text)).toEqual(JSON.parse(text))
    expect(() => readAttempts('[{}]')).toThrow('deliveries.log')
  })
})
