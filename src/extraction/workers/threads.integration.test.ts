import { afterEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import type { WorkerRequest } from './messages.ts'
import { requestKinds } from './requests/all.ts'
import { createReaderThreads, type Threads } from './threads.ts'

const limits = { threads: 1, spare: 0, megabytes: 256, idleMs: 60_000, graceMs: 50 }
const alive = new AbortController().signal
let threads: Threads | undefined
afterEach(() => {
  vi.useRealTimers()
  return threads?.stop()
})

const url = 'https://example.test/'
const page = { requestedUrl: url, url, status: 200, headers: {}, bytes: new Uint8Array(), fetchedAt: 0 }
const options = { onlyMainContent: true, includeTags: [], excludeTags: ['p'], removeBase64Images: true }
const bytes = new Uint8Array()
const claims = {
  spec: {
    kind: 'object' as const,
    label: { name: '', description: '' },
    fields: new Map(),
    required: new Set<string>(),
  },
}
const orders: Record<WorkerRequest['kind'], WorkerRequest> = {
  read: { kind: 'read', page, options, wishes: { markdown: true }, judging: 'none', maxBytes: 1e6 },
  compare: {
    kind: 'compare',
    previous: bytes,
    current: bytes,
    showsDifference: false,
    values: undefined,
    maxBytes: 1e6,
  },
  export: { kind: 'export', document: bytes, form: 'csv' },
  schema: { kind: 'schema', schema: {} },
  selectors: { kind: 'selectors', selectors: ['p'] },
  prompt: { kind: 'prompt', prompt: 'only the blog', paths: ['/blog'] },
  'stored-page': { kind: 'stored-page', document: bytes, url },
  merge: { kind: 'merge', schema: {}, pages: [] },
  answer: { kind: 'answer', answer: { text: '{}', schema: {}, isStrict: false } },
  ground: {
    kind: 'ground',
    claims: { ...claims, claims: {}, context: { url, base: url, language: '', title: '' }, text: '' },
  },
}

describe.each(Object.entries(orders))('an order of the kind %s', (kind, order) => {
  it('that takes too long is ended with the name of its bound, and its thread is replaced', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    threads = createReaderThreads(limits, silentLog)
    const { bound } = requestKinds[order.kind]
    const run = threads.run(order, { team: 'a' }, alive)
    const refused = expect(run).rejects.toMatchObject({ detail: { bound } })
    // The thread has not even started when the time is over.
    await vi.advanceTimersByTimeAsync(100_000)
    await refused
    vi.useRealTimers()
    expect(await threads.run(orders.schema, { team: 'a' }, alive)).toMatchObject({ asksForNothing: true })
    expect(kind).toBe(order.kind)
  })
})

describe('an order that took too long', () => {
  it('names the options of the caller that decide how long a page takes', () => {
    expect(requestKinds.read.tooLong(orders.read).message).toContain('excludeTags')
  })
})

describe('an order that cannot be sent to a thread', () => {
  it('fails, and the next order gets its permit', async () => {
    threads = createReaderThreads({ ...limits, threads: 1, spare: 0 }, silentLog)
    const unsendable = { kind: 'schema', schema: { default: () => undefined } } as const
    await expect(threads.run(unsendable, { team: 'a' }, alive)).rejects.toThrow('could not be cloned')
    expect(await threads.run(orders.schema, { team: 'a' }, alive)).toMatchObject({ asksForNothing: true })
  })
})

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('a thread that reads pages', () => {
  it('answers what it is asked', async () => {
    threads = createReaderThreads(limits, silentLog)
    const comparing = { ...orders.compare, previous: bytesOf('a'), current: bytesOf('b') } as WorkerRequest
    expect(await threads.run(comparing, { team: 'a' }, alive)).toEqual({
      isSame: false,
      difference: undefined,
    })
  })

  it('leaves the bytes of the page to the caller', async () => {
    threads = createReaderThreads(limits, silentLog)
    const bytes = bytesOf('<p>A page of some words.</p>')
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    const usual = { ...options, excludeTags: [] }
    const reading = { ...orders.read, options: usual, page: { ...page, headers, bytes } } as WorkerRequest
    expect(await threads.run(reading, { team: 'a' }, alive)).toMatchObject({ made: { markdown: {} } })
    expect(new TextDecoder().decode(bytes)).toContain('some words')
  })

  it('rejects with the reason of a caller that goes, and serves the next one', async () => {
    threads = createReaderThreads(limits, silentLog)
    const [first, second] = [new AbortController(), new AbortController()]
    const left = threads.run(orders.compare, { team: 'a' }, first.signal)
    await nextTurn()
    first.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    const answered = threads.run(orders.schema, { team: 'a' }, second.signal)
    expect(await answered).toMatchObject({ asksForNothing: true })
    second.abort(new Error('left later'))
    expect(await answered).toMatchObject({ asksForNothing: true })
  })

  it('is stopped with the orders that it has and those that wait, and refuses later ones', async () => {
    threads = createReaderThreads(limits, silentLog)
    const running = Array.from({ length: 3 }, () => threads?.run(orders.compare, { team: 'a' }, alive))
    const settled = Promise.allSettled(running)
    await threads.stop()
    for (const each of await settled)
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'SCRAPE_JOB_CANCELLED' } })
    await expect(threads.run(orders.schema, { team: 'a' }, alive)).rejects.toMatchObject({
      code: 'SCRAPE_JOB_CANCELLED',
    })
  })
})
