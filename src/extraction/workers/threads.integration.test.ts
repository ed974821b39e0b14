import { afterEach, describe, expect, it, vi } from 'vitest'
import { silentLog } from '../../platform/log.ts'
import { nextTurn } from '../../platform/time-slice.ts'
import type { WorkerRequest } from './messages.ts'
import { requestKinds, tooLongError } from './requests/all.ts'
import { createReaderThreads, type Threads } from './threads.ts'

const limits = { threads: 1, spare: 0, megabytes: 256, idleMs: 60_000, graceMs: 50 }
const neverAborted = new AbortController().signal
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
const requests: Record<WorkerRequest['kind'], WorkerRequest> = {
  read: {
    kind: 'read',
    page,
    options,
    requestedParts: { markdown: true },
    classifyMode: 'none',
    maxBytes: 1e6,
  },
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

describe.each(Object.entries(requests))('request of kind %s', (kind, request) => {
  it('is terminated after its time limit with the name of the bound, and its thread is replaced', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    threads = createReaderThreads(limits, silentLog)
    const { bound } = requestKinds[request.kind]
    const run = threads.run(request, { team: 'a' }, neverAborted)
    const rejection = expect(run).rejects.toMatchObject({ detail: { bound } })
    // The timeout expires before the thread has started.
    await vi.advanceTimersByTimeAsync(100_000)
    await rejection
    vi.useRealTimers()
    expect(await threads.run(requests.schema, { team: 'a' }, neverAborted)).toMatchObject({
      isEmpty: true,
    })
    expect(kind).toBe(request.kind)
  })
})

describe('request that took too long', () => {
  it('names the caller options that determine the processing time', () => {
    expect(tooLongError(requests.read).message).toContain('excludeTags')
  })
})

describe('request that cannot be sent to a thread', () => {
  it('fails, and the next request gets its permit', async () => {
    threads = createReaderThreads({ ...limits, threads: 1, spare: 0 }, silentLog)
    const uncloneableRequest = { kind: 'schema', schema: { default: () => undefined } } as const
    await expect(threads.run(uncloneableRequest, { team: 'a' }, neverAborted)).rejects.toThrow(
      'could not be cloned',
    )
    expect(await threads.run(requests.schema, { team: 'a' }, neverAborted)).toMatchObject({
      isEmpty: true,
    })
  })
})

const bytesOf = (text: string) => new TextEncoder().encode(text)

describe('reader threads', () => {
  it('return the reply to a request', async () => {
    threads = createReaderThreads(limits, silentLog)
    const compareRequest = {
      ...requests.compare,
      previous: bytesOf('a'),
      current: bytesOf('b'),
    } as WorkerRequest
    expect(await threads.run(compareRequest, { team: 'a' }, neverAborted)).toEqual({
      isSame: false,
      difference: undefined,
    })
  })

  it('do not take the page bytes away from the caller', async () => {
    threads = createReaderThreads(limits, silentLog)
    const bytes = bytesOf('<p>A page of some words.</p>')
    const headers = { 'content-type': 'text/html; charset=utf-8' }
    const defaultOptions = { ...options, excludeTags: [] }
    const readRequest = {
      ...requests.read,
      options: defaultOptions,
      page: { ...page, headers, bytes },
    } as WorkerRequest
    expect(await threads.run(readRequest, { team: 'a' }, neverAborted)).toMatchObject({
      builtParts: { markdown: {} },
    })
    expect(new TextDecoder().decode(bytes)).toContain('some words')
  })

  it('reject with the abort reason of a caller, and serve the next caller', async () => {
    threads = createReaderThreads(limits, silentLog)
    const [first, second] = [new AbortController(), new AbortController()]
    const abandoned = threads.run(requests.compare, { team: 'a' }, first.signal)
    await nextTurn()
    first.abort(new Error('left'))
    await expect(abandoned).rejects.toThrow('left')
    const reply = threads.run(requests.schema, { team: 'a' }, second.signal)
    expect(await reply).toMatchObject({ isEmpty: true })
    second.abort(new Error('left later'))
    expect(await reply).toMatchObject({ isEmpty: true })
  })

  it('reject running, waiting and later requests after a stop', async () => {
    threads = createReaderThreads(limits, silentLog)
    const running = Array.from({ length: 3 }, () =>
      threads?.run(requests.compare, { team: 'a' }, neverAborted),
    )
    const settled = Promise.allSettled(running)
    await threads.stop()
    for (const each of await settled)
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'SCRAPE_JOB_CANCELLED' } })
    await expect(threads.run(requests.schema, { team: 'a' }, neverAborted)).rejects.toMatchObject({
      code: 'SCRAPE_JOB_CANCELLED',
    })
  })
})
