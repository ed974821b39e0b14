import { describe, expect, it } from 'vitest'
import { type PlaceRequest, teamLines } from './team-lines.ts'

/** Lines of teams that hold these numbers of places; those in `shut` may take no more. */
function scene(held: Record<string, number> = {}, shut: string[] = []) {
  const shares = {
    takenBy: (team: string) => held[team] ?? 0,
    mayTake: (team: string) => !shut.includes(team),
  }
  return teamLines<PlaceRequest & { name: string }>(shares)
}

const caller = (team: string, name = team) => ({ team, name })
const background = (team: string, name = team) => ({ team, name, isBackground: true })

function namesOf(lines: ReturnType<typeof scene>): string[] {
  const names: string[] = []
  for (let next = lines.next(); next; next = lines.next()) names.push(next.name)
  return names
}

describe('the lines of teams', () => {
  it('let the team that holds the fewest go first, whatever the order of arrival', () => {
    const lines = scene({ a: 2, b: 1 })
    for (const team of ['a', 'b', 'c']) lines.join(caller(team))
    expect(namesOf(lines)).toEqual(['c', 'b', 'a'])
  })

  it('let teams that hold as many go in turn', () => {
    const lines = scene()
    for (const [team, name] of [
      ['a', 'a1'],
      ['a', 'a2'],
      ['b', 'b1'],
    ] as const)
      lines.join(caller(team, name))
    expect(namesOf(lines)).toEqual(['a1', 'b1', 'a2'])
  })

  it('let those who are waited for pass, within a team and between teams', () => {
    const lines = scene()
    lines.join(background('a', 'a in the background'))
    lines.join(background('b', 'b in the background'))
    lines.join(caller('b'))
    expect(namesOf(lines)).toEqual(['b', 'a in the background', 'b in the background'])
  })

  it('pass over a team that may take nothing', () => {
    const lines = scene({}, ['a'])
    lines.join(caller('a'))
    lines.join(caller('b'))
    expect(namesOf(lines)).toEqual(['b'])
    expect([lines.waiting(), lines.isEmpty()]).toEqual([1, false])
  })

  it('forget who has left', () => {
    const lines = scene()
    const gone = caller('a', 'gone')
    lines.join(gone)
    lines.join(caller('a', 'stays'))
    lines.leave(gone)
    expect(namesOf(lines)).toEqual(['stays'])
    expect(lines.isEmpty()).toBe(true)
  })
})
