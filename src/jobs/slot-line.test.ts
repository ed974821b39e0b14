import { EventEmitter } from 'node:events'
import { describe, expect, it } from 'vitest'
import type { Store } from '../store/schema.ts'
import { slotLines } from './slot-line.ts'

function linesWithBell() {
  const bell = new EventEmitter()
  // Of a store, lines use its wake-ups alone.
  const store = {
    listen: (_: string, heard: (team: string) => void) => void bell.on('slot', heard),
  } as unknown as Store
  return { lines: slotLines(store), free: () => bell.emit('slot', 'team') }
}

const never = new AbortController().signal

describe('the line for a slot', () => {
  it('is in the order of ids, not in the order of joining', () => {
    const { lines } = linesWithBell()
    const second = lines.join('team', 'b')
    const first = lines.join('team', 'a')
    expect([first.isHead(), second.isHead()]).toEqual([true, false])
  })

  it('moves when the head leaves', async () => {
    const { lines } = linesWithBell()
    const [first, second] = [lines.join('team', 'a'), lines.join('team', 'b')]
    const moved = second.movement(never)
    first.leave()
    await moved
    expect(second.isHead()).toBe(true)
  })

  it('keeps a wake-up that came while nobody listened', async () => {
    const { lines, free } = linesWithBell()
    const place = lines.join('team', 'a')
    free()
    await place.movement(never)
    expect(place.isHead()).toBe(true)
  })

  it('lets a caller give up', async () => {
    const { lines } = linesWithBell()
    const leaving = new AbortController()
    const moved = lines.join('team', 'a').movement(leaving.signal)
    leaving.abort(new Error('gone'))
    await expect(moved).rejects.toThrow('gone')
  })
})
