import { describe, expect, it } from 'vitest'
import { bounds } from '../base/bounds.ts'
import { eventStream } from './event-stream.ts'

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
