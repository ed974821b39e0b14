import { afterEach, describe, expect, it } from 'vitest'
import type { Page } from '../content/page.ts'
import type { ThreadAnswer, ThreadOrder } from './messages.ts'
import { beginTurn, type ReaderThread, startThread, type Turn, takeTurn } from './reader-thread.ts'

let thread: ReaderThread | undefined
afterEach(() => thread?.worker.terminate())

function start() {
  const answered = Promise.withResolvers<ThreadAnswer>()
  const died = Promise.withResolvers<unknown>()
  const events = {
    answered: (_: ReaderThread, answer: ThreadAnswer) => answered.resolve(answer),
    died: (_: ReaderThread, cause: unknown) => died.resolve(cause),
  }
  thread = startThread({ megabytes: 256 }, events)
  return { thread, answer: answered.promise, death: died.promise }
}

function turnOf(signal: AbortSignal, abandon = () => {}): Turn {
  return { onFreed() {}, resolve() {}, reject() {}, abandon, signal }
}

const bytesOf = (text: string) => new TextEncoder().encode(text)
const [previous, current] = [bytesOf('a'), bytesOf('b')]
const comparing: ThreadOrder = {
  kind: 'compare',
  previous,
  current,
  showsDifference: false,
  values: undefined,
  mostBytes: 1e6,
}

function reading(bytes: Uint8Array): ThreadOrder {
  const url = 'https://example.test/a'
  const headers = { 'content-type': 'text/html; charset=utf-8' }
  const page: Page = { requestedUrl: url, url, status: 200, headers, bytes, fetchedAt: 0 }
  const options = { onlyMainContent: true, includeTags: [], excludeTags: [], removeBase64Images: true }
  return { kind: 'read', page, options, wishes: { markdown: true }, judging: 'none', mostBytes: 1e6 }
}

describe('a thread that reads pages', () => {
  it('answers what it is asked', async () => {
    const started = start()
    beginTurn(started.thread, turnOf(new AbortController().signal), comparing)
    expect(await started.answer).toEqual({ done: { isSame: false, difference: undefined } })
  })

  it('leaves the bytes of the page to the caller', async () => {
    const started = start()
    const bytes = bytesOf('<p>A page of some words.</p>')
    beginTurn(started.thread, turnOf(new AbortController().signal), reading(bytes))
    expect(await started.answer).toMatchObject({ done: { made: { markdown: {} } } })
    expect(new TextDecoder().decode(bytes)).toContain('some words')
  })

  it('tells of its death', async () => {
    const started = start()
    await started.thread.worker.terminate()
    expect(await started.death).toMatchObject({ message: 'A thread that reads pages has ended.' })
  })

  it('hears that the caller has gone while its turn lasts, and not after it', () => {
    const started = start()
    let abandoned = 0
    const count = () => {
      abandoned += 1
    }
    const [first, second] = [new AbortController(), new AbortController()]
    const turn = turnOf(first.signal, count)
    beginTurn(started.thread, turn, comparing)
    expect(takeTurn(started.thread)).toBe(turn)
    expect(takeTurn(started.thread)).toBeUndefined()
    first.abort()
    expect(abandoned).toBe(0)
    beginTurn(started.thread, turnOf(second.signal, count), comparing)
    second.abort()
    expect(abandoned).toBe(1)
  })
})
