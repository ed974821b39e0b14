import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Frame, startScreencast } from './screencast.ts'

describe('startScreencast', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  async function start({ isLate = false } = {}) {
    const calls: string[] = []
    const shown: Frame[] = []
    const attached = Promise.withResolvers<{ sessionId: string }>()
    const call = async (method: string, params: object = {}, sessionId?: string) => {
      const size = 'maxWidth' in params ? ` ${params.maxWidth}` : ''
      calls.push(`${method}${size}${sessionId === undefined ? '' : ` in ${sessionId}`}`)
      return method === 'Target.attachToTarget' ? attached.promise : {}
    }
    // The type parameter of the caller defines the result.
    const caller = { call: call as <Result>() => Promise<Result>, disconnect() {} }
    const cast = startScreencast(caller, 'page', (frame) => void shown.push(frame))
    if (!isLate) attached.resolve({ sessionId: 'S' })
    await vi.advanceTimersByTimeAsync(0)
    const picture = async (text: string, sessionId = 'S') => {
      const metadata = { deviceWidth: 800.4, deviceHeight: 600 }
      const data = Buffer.from(text).toString('base64')
      cast.onEvent('Page.screencastFrame', { data, metadata, sessionId: 7 }, sessionId)
      await vi.advanceTimersByTimeAsync(0)
    }
    /** Returns the calls since the last time. */
    const takeCalls = () => calls.splice(0)
    return { cast, picture, shown, news: takeCalls, attached }
  }

  const [on, off, ack] = [
    'Page.startScreencast 1600 in S',
    'Page.stopScreencast in S',
    'Page.screencastFrameAck in S',
  ]

  it('requests one frame at a time while the page changes, ten a second', async () => {
    const { picture, shown, news } = await start()
    expect(news()).toEqual(['Target.attachToTarget', on])
    await picture('one')
    expect(news()).toEqual([off])
    await vi.advanceTimersByTimeAsync(99)
    expect(news()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(news()).toEqual([on])
    expect(shown).toEqual([{ image: Buffer.from('one'), viewport: { width: 800, height: 600 } }])
  })

  it('requests no frames of a still page, and does not show one twice', async () => {
    const { picture, shown, news } = await start()
    await picture('one')
    await vi.advanceTimersByTimeAsync(100)
    news()
    await picture('one')
    expect(news()).toEqual([ack])
    await vi.advanceTimersByTimeAsync(10_000)
    expect(news()).toEqual([])
    expect(shown).toHaveLength(1)
  })

  it('uses small frames while the page changes, and sharp ones afterwards', async () => {
    const { picture, news } = await start()
    for (let count = 0; count < 10; count += 1) {
      await picture(`${count}`)
      await vi.advanceTimersByTimeAsync(100)
    }
    expect(news().at(-1)).toBe('Page.startScreencast 800 in S')
    await picture('9')
    await vi.advanceTimersByTimeAsync(100)
    expect(news()).toEqual([off, on])
    await picture('9')
    expect(news()).toEqual([ack])
  })

  it('requests a frame again if none arrives', async () => {
    const { news } = await start()
    news()
    await vi.advanceTimersByTimeAsync(1001)
    expect(news()).toEqual([off, on])
  })

  it('ignores late frames and frames of another page', async () => {
    const { picture, shown } = await start()
    await picture('other', 'T')
    await picture('one')
    await picture('late')
    expect(shown.map((frame) => String(frame.image))).toEqual(['one'])
  })

  it('requests nothing after stop(), even before it is attached', async () => {
    const { cast, picture, shown, news } = await start()
    news()
    cast.stop()
    await picture('one')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(news()).toEqual(['Target.detachFromTarget'])
    const delayed = await start({ isLate: true })
    delayed.cast.stop()
    delayed.attached.resolve({ sessionId: 'S' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(delayed.news()).toEqual(['Target.attachToTarget', 'Target.detachFromTarget'])
    expect(shown).toEqual([])
  })
})
