import { afterEach, describe, expect, it, vi } from 'vitest'
import { bounds } from '../platform/bounds.ts'
import { eventStream, messageStream } from './event-stream.ts'
import type { WatchMessage } from './watch.ts'

type Hear = Parameters<Parameters<typeof eventStream>[0]>[0]

async function open(signal = new AbortController().signal) {
  let hear: Hear = () => {}
  let hasLeft = false
  const stream = await eventStream(async (given) => {
    hear = given
    return () => {
      hasLeft = true
    }
  }, signal)
  const reader = stream.chunks[Symbol.asyncIterator]()
  await reader.next()
  return { tell: (number: number) => hear({ type: 'job', data: { number } }), reader, hasLeft: () => hasLeft }
}

const { most } = bounds.MAX_WAITING_EVENTS

describe('an event stream', () => {
  it('keeps events in their order for a reader who is a little behind', async () => {
    const { tell, reader } = await open()
    for (let number = 0; number < most; number += 1) tell(number)
    expect((await reader.next()).value).toBe('event: job\ndata: {"number":0}\n\n')
    expect((await reader.next()).value).toBe('event: job\ndata: {"number":1}\n\n')
  })

  it('leaves a reader for whom too many wait, and keeps nothing for them', async () => {
    const { tell, reader, hasLeft } = await open()
    for (let number = 0; number <= most; number += 1) tell(number)
    expect(await reader.next()).toEqual({ value: undefined, done: true })
    expect(hasLeft()).toBe(true)
  })

  it('leaves when the caller goes while it joins', async () => {
    const gone = new AbortController()
    const joining = Promise.withResolvers<() => void>()
    let hasLeft = false
    const opening = eventStream(() => joining.promise, gone.signal)
    gone.abort()
    joining.resolve(() => {
      hasLeft = true
    })
    await opening
    await new Promise(setImmediate)
    expect(hasLeft).toBe(true)
  })

  it('leaves when the caller goes before the first byte', async () => {
    const gone = new AbortController()
    const { hasLeft } = await open(gone.signal)
    gone.abort()
    expect(hasLeft()).toBe(true)
  })
})

describe('a message stream', () => {
  afterEach(() => vi.useRealTimers())

  const document: WatchMessage = { type: 'document', data: { markdown: 'Grüße' } }

  it('answers nothing of its own where the first message fails', async () => {
    // biome-ignore lint/correctness/useYield: it fails before
    const failing = async function* (): AsyncGenerator<WatchMessage> {
      throw new Error('There is no such job.')
    }
    await expect(messageStream(failing(), new AbortController().signal)).rejects.toThrow('no such job')
  })

  it('writes whole events, with comments between them where it is silent', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    const later = Promise.withResolvers<void>()
    const messages = async function* (): AsyncGenerator<WatchMessage> {
      yield document
      await later.promise
      yield { type: 'done', data: {} }
    }
    const { headers, chunks } = await messageStream(messages(), new AbortController().signal)
    expect(headers['content-type']).toContain('text/event-stream')
    const reader = chunks[Symbol.asyncIterator]()
    let text = ''
    const readUntil = async (end: string) => {
      text = ''
      while (!text.endsWith(end)) {
        const { value } = await reader.next()
        text += Buffer.from(value).toString()
      }
      return text
    }
    expect(await readUntil('\n\n')).toBe('event: document\ndata: {"markdown":"Grüße"}\n\n')
    for (const _ of [1, 2]) {
      const silent = readUntil('\n\n')
      await vi.advanceTimersByTimeAsync(15_000)
      expect(await silent).toBe(': still here\n\n')
    }
    later.resolve()
    expect(await readUntil('\n\n')).toBe('event: done\ndata: {}\n\n')
    expect(await reader.next()).toMatchObject({ done: true })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends when the caller has gone', async () => {
    const gone = new AbortController()
    const messages = async function* (): AsyncGenerator<WatchMessage> {
      for (;;) yield document
    }
    const { chunks } = await messageStream(messages(), gone.signal)
    const reader = chunks[Symbol.asyncIterator]()
    expect(await reader.next()).toMatchObject({ done: false })
    gone.abort()
    let isDone = false
    // What is left of the event that was begun.
    for (let left = 0; left < 5 && !isDone; left += 1) isDone = (await reader.next()).done === true
    expect(isDone).toBe(true)
  })
})
