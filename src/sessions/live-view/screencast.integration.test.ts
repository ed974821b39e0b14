import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type Frame, startScreencast } from './screencast.ts'

describe('the pictures of a page', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }))
  afterEach(() => void vi.useRealTimers())

  async function start({ isLate = false } = {}) {
    const asked: string[] = []
    const shown: Frame[] = []
    const attached = Promise.withResolvers<{ sessionId: string }>()
    const call = async (method: string, params: object = {}, sessionId?: string) => {
      const size = 'maxWidth' in params ? ` ${params.maxWidth}` : ''
      asked.push(`${method}${size}${sessionId === undefined ? '' : ` in ${sessionId}`}`)
      return method === 'Target.attachToTarget' ? attached.promise : {}
    }
    // The caller says what comes back.
    const caller = { call: call as <Result>() => Promise<Result>, leave() {} }
    const cast = startScreencast(caller, 'page', (frame) => void shown.push(frame))
    if (!isLate) attached.resolve({ sessionId: 'S' })
    await vi.advanceTimersByTimeAsync(0)
    const picture = async (text: string, sessionId = 'S') => {
      const metadata = { deviceWidth: 800.4, deviceHeight: 600 }
      const data = Buffer.from(text).toString('base64')
      cast.onEvent('Page.screencastFrame', { data, metadata, sessionId: 7 }, sessionId)
      await vi.advanceTimersByTimeAsync(0)
    }
    /** What was asked for since the last time. */
    const news = () => asked.splice(0)
    return { cast, picture, shown, news, attached }
  }

  const [on, off, ack] = [
    'Page.startScreencast 1600 in S',
    'Page.stopScreencast in S',
    'Page.screencastFrameAck in S',
  ]

  it('come one at a time while it changes, ten a second', async () => {
    const { picture, shown, news } = await start()
    expect(news()).toEqual(['Target.attachToTarget', on])
    await picture('one')
    expect(news()).toEqual([off])
    await vi.advanceTimersByTimeAsync(99)
    expect(news()).toEqual([])
    await vi.advanceTimersByTimeAsync(1)
    expect(news()).toEqual([on])
    expect(shown).toEqual([{ picture: Buffer.from('one'), viewport: { width: 800, height: 600 } }])
  })

  it('are not taken while it is at rest, and not shown twice', async () => {
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

  it('are small while it moves, and sharp when it has come to rest', async () => {
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

  it('are asked for again where none came', async () => {
    const { news } = await start()
    news()
    await vi.advanceTimersByTimeAsync(1001)
    expect(news()).toEqual([off, on])
  })

  it('are left out where they come too late, or of another page', async () => {
    const { picture, shown } = await start()
    await picture('other', 'T')
    await picture('one')
    await picture('late')
    expect(shown.map((frame) => String(frame.picture))).toEqual(['one'])
  })

  it('end when they are stopped, also before they have begun', async () => {
    const { cast, picture, shown, news } = await start()
    news()
    cast.stop()
    await picture('one')
    await vi.advanceTimersByTimeAsync(10_000)
    expect(news()).toEqual(['Target.detachFromTarget'])
    const late = await start({ isLate: true })
    late.cast.stop()
    late.attached.resolve({ sessionId: 'S' })
    await vi.advanceTimersByTimeAsync(10_000)
    expect(late.news()).toEqual(['Target.attachToTarget', 'Target.detachFromTarget'])
    expect(shown).toEqual([])
  })
})
