import { describe, expect, it } from 'vitest'
import { Permits } from '../platform/permits.ts'
import { type OcrTurnRequest, withOcrTurns } from './recogniser-turns.ts'

const turn = () => new Promise((resolve) => setImmediate(resolve))

function scene() {
  const permits = new Permits({ count: 2, spare: 1 })
  const file = (team: string) => {
    const granted: number[] = []
    const { promise, resolve: end } = Promise.withResolvers<void>()
    let hear = (_ask: OcrTurnRequest) => {}
    const grant = ({ mayRecognise }: { mayRecognise: number }) => void granted.push(mayRecognise)
    void withOcrTurns({ permits, who: { team }, grant }, (own) => {
      hear = own
      return promise
    })
    return { granted, hear, end }
  }
  return { permits, file }
}

describe('programs that recognise text', () => {
  it('are as many as there are places, however many one file wants', async () => {
    const { file } = scene()
    const { granted, hear } = file('a')
    for (const number of [1, 2, 3, 4]) hear({ wantsRecogniser: number })
    await turn()
    expect(granted).toEqual([1, 2])
    hear({ hasRecognised: 1 })
    await turn()
    expect(granted).toEqual([1, 2, 3])
  })

  it('are there for another team at once', async () => {
    const { file } = scene()
    const [first, second] = [file('a'), file('b')]
    for (const number of [1, 2, 3, 4]) first.hear({ wantsRecogniser: number })
    second.hear({ wantsRecogniser: 1 })
    await turn()
    expect(second.granted).toEqual([1])
  })

  it('leave nothing behind when their file ends', async () => {
    const { file, permits } = scene()
    const { granted, hear, end } = file('a')
    for (const number of [1, 2, 3, 4]) hear({ wantsRecogniser: number })
    await turn()
    end()
    await turn()
    expect([granted, permits.held(), permits.waiting()]).toEqual([[1, 2], 0, 0])
  })
})
