import { afterEach, describe, expect, it, vi } from 'vitest'
import { bounds } from '../platform/bounds.ts'
import { eventStream, messageStream } from './event-stream.ts'
import type { WatchMessage } from './watch.ts'

type Listener = Parameters<Parameters<typeof eventStream>[0]>[0]

async function open(signal = new AbortController().signal) {
  let listener: Listener = () => {}
  let hasLeft = false
  const stream = await eventStream(async (onEvent) => {
    listener = onEvent
    return () => {
      hasLeft = true
    }
  }, signal)
  const reader = stream.chunks[Symbol.asyncIterator]()
  await reader.next()
  return {
    tell: (number: number) => listener({ type: 'job', data: { number } }),
    reader,
    hasLeft: () => hasLeft,
  }
}

const { most: maxWaitingEvents } = bounds.MAX_WAITING_EVENTS

describe('eventStream()', () => {
  it('delivers events in order to a slightly slow reader', async () => {
    const { tell, reader } = await open()
    for (let number = 0; number < maxWaitingEvents; number += 1) tell(number)
    expect((await reader.next()).value).toBe('event: job\ndata: {"number":0}\n\n')
    expect((await reader.next()).value).toBe('event: job\ndata: {"number":1}\n\n')
  })

  it('disconnects a reader with too many pending events and drops these events', async () => {
    const { tell, reader, hasLeft } = await open()
    for (let number = 0; number <= maxWaitingEvents; number += 1) tell(number)
    expect(await reader.next()).toEqual({ value: undefined, done: true })
    expect(hasLeft()).toBe(true)
  })

  it('leaves if the caller disconnects during the join', async () => {
    const disconnect = new AbortController()
    const joined = Promise.withResolvers<() => void>()
    let hasLeft = false
    const opening = eventStream(() => joined.promise, disconnect.signal)
    disconnect.abort()
    joined.resolve(() => {
      hasLeft = true
    })
    await opening
    await new Promise(setImmediate)
    expect(hasLeft).toBe(true)
  })

  it('leaves if the caller disconnects before the first byte', async () => {
    const disconnect = new AbortController()
    const { hasLeft } = await open(disconnect.signal)
    disconnect.abort()
    expect(hasLeft()).toBe(true)
  })
})

describe('messageStream()', () => {
  afterEach(() => vi.useRealTimers())

  const document: WatchMessage = { type: 'document', data: { markdown: 'Grüße' } }

  it('rejects without a response if the first message fails', async () => {
    // biome-ignore lint/correctness/useYield: it fails before
    const failing = async function* (): AsyncGenerator<WatchMessage> {
      throw new Error('There is no such job.')
    }
    await expect(messageStream(failing(), new AbortController().signal)).rejects.toThrow('no such job')
  })

  it('writes whole events and sends comments while no event arrives', async () => {
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
      const comment = readUntil('\n\n')
      await vi.advanceTimersByTimeAsync(15_000)
      expect(await comment).toBe(': still here\n\n')
    }
    later.resolve()
    expect(await readUntil('\n\n')).toBe('event: done\ndata: {}\n\n')
    expect(await reader.next()).toMatchObject({ done: true })
    expect(vi.getTimerCount()).toBe(0)
  })

  it('ends when the caller disconnects', async () => {
    const disconnect = new AbortController()
    const messages = async function* (): AsyncGenerator<WatchMessage> {
      for (;;) yield document
    }
    const { chunks } = await messageStream(messages(), disconnect.signal)
    const reader = chunks[Symbol.asyncIterator]()
    expect(await reader.next()).toMatchObject({ done: false })
    disconnect.abort()
    let isDone = false
    // Reads the rest of the current event.
    for (let left = 0; left < 5 && !isDone; left += 1) isDone = (await reader.next()).done === true
    expect(isDone).toBe(true)
  })
})
