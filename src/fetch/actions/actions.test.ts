import { describe, expect, it } from 'vitest'
import { actionList, actions, getRepeatedActions, waitingTime } from './index.ts'

describe.each(actions)('the action $type', (action) => {
  const request = { type: action.type, ...action.example }

  it('has names and aliases that no other action has', () => {
    const names = actions.flatMap(({ type, aliases = [] }) => [type, ...aliases])
    for (const name of [action.type, ...(action.aliases ?? [])])
      expect(names.filter((other) => other === name)).toHaveLength(1)
  })

  it('has a description that ends with a period', () => {
    expect(action.description).toMatch(/\.$/)
  })

  it('is accepted under each of its names, and rejected with unknown fields', () => {
    for (const type of [action.type, ...(action.aliases ?? [])])
      expect(actionList.parse([{ ...request, type }])).toMatchObject([{ type: action.type }])
    expect(actionList.safeParse([{ ...request, nonsense: 1 }]).success).toBe(false)
  })

  it('is repeated only if it changes the page, and has a waiting time of at least 0', () => {
    const list = actionList.parse([request])
    expect(getRepeatedActions(list)).toHaveLength(action.isRepeated ? 1 : 0)
    expect(waitingTime(list)).toBeGreaterThanOrEqual(0)
  })
})
