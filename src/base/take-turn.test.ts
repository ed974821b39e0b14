import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { takeTurn } from './take-turn.ts'

it('gives each caller a turn of its own, in order', async () => {
  let turn = 0
  let isOver = false
  const count = async () => {
    while (!isOver) {
      await nextTurn()
      turn += 1
    }
  }
  const counting = count()
  const turns: number[] = []
  await Promise.all(
    Array.from({ length: 5 }, async () => {
      await takeTurn()
      turns.push(turn)
    }),
  )
  isOver = true
  await counting
  expect(turns).toEqual(turns.toSorted((one, other) => one - other))
  expect(new Set(turns).size).toBe(turns.length)
})
