import { describe, expect, it } from 'vitest'
import { actionList, actions, expandRepeats, waitingTime } from './index.ts'

describe.each(actions)('the action $type', (action) => {
  const asked = { type: action.type, ...action.example }

  it('has a name that no other action has, also among its aliases', () => {
    const names = actions.flatMap(({ type, aliases = [] }) => [type, ...aliases])
    for (const name of [action.type, ...(action.aliases ?? [])])
      expect(names.filter((other) => other === name)).toHaveLength(1)
  })

  it('describes itself', () => {
    expect(action.description).toMatch(/\.$/)
  })

  it('can be asked for by each of its names, and not with fields it has not', () => {
    for (const type of [action.type, ...(action.aliases ?? [])])
      expect(actionList.parse([{ ...asked, type }])).toMatchObject([{ type: action.type }])
    expect(actionList.safeParse([{ ...asked, nonsense: 1 }]).success).toBe(false)
  })

  it('is done again where it changes the page, and waits as long as it says', () => {
    const list = actionList.parse([asked])
    expect(expandRepeats(list)).toHaveLength(action.isRepeated ? 1 : 0)
    expect(waitingTime(list)).toBeGreaterThanOrEqual(0)
  })
})
