import { describe, expect, it } from 'vitest'
import { type DeliveryRoom, type Destination, deliveryRoom } from './delivery-room.ts'

const to = (changes: Partial<Destination> = {}): Destination => ({
  ...{ teamId: 'team', jobId: 'job', url: 'https://a.example/hook' },
  ...changes,
})

/** Takes what there is and begins a delivery in each place. */
function fill(rooms: DeliveryRoom, destination: Destination) {
  const { room, isTeamFull } = rooms.take(destination)
  return { isTeamFull, underWay: room.map((place) => rooms.begin(destination, place)) }
}

describe('room for deliveries', () => {
  it('is four at once for a job, and again when they have ended', () => {
    const rooms = deliveryRoom()
    const { underWay } = fill(rooms, to())
    expect(underWay).toHaveLength(4)
    expect(fill(rooms, to())).toEqual({ isTeamFull: false, underWay: [] })
    for (const delivery of underWay.slice(0, 3)) delivery.end()
    expect(fill(rooms, to()).underWay).toHaveLength(3)
  })

  it('is sixteen at once for a receiver of a team, whichever of its jobs they are of', () => {
    const rooms = deliveryRoom()
    for (let job = 0; job < 8; job += 1) fill(rooms, to({ jobId: `job ${job}` }))
    expect(rooms.takenBy('team')).toBe(16)
    expect(fill(rooms, to({ jobId: 'next', url: 'https://b.example/' })).underWay).toHaveLength(4)
    expect(fill(rooms, to({ jobId: 'other', teamId: 'other' })).underWay).toHaveLength(4)
  })

  it('is said to be none for the team only where its job and its receiver might have more', () => {
    const rooms = deliveryRoom()
    for (let job = 0; job < 16; job += 1) fill(rooms, to({ jobId: `${job}`, url: `https://${job}.example/` }))
    expect(rooms.takenBy('team')).toBe(64)
    expect(rooms.take(to({ jobId: '0' }))).toEqual({ room: [], isTeamFull: false })
    expect(rooms.take(to({ jobId: 'next' }))).toEqual({ room: [], isTeamFull: true })
    expect(rooms.take(to({ teamId: 'other', jobId: 'next' })).room).toHaveLength(1)
  })

  it('is one at a time, with less patience, for a receiver that says nothing', () => {
    const rooms = deliveryRoom()
    const { underWay } = fill(rooms, to())
    for (const { heard, end } of underWay) {
      heard(true)
      end()
    }
    const [next, ...others] = fill(rooms, to()).underWay
    expect([next?.patience, others]).toEqual([3000, []])
    next?.heard(false)
    expect(fill(rooms, to()).underWay[0]?.patience).toBe(10_000)
  })
})
