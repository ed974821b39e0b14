import { describe, expect, it } from 'vitest'
import { compatibilityPage, unproven } from './compatibility.ts'

describe('the compatibility table', () => {
  it('names existing tests', () => {
    expect(unproven()).toEqual([])
  })

  it('matches docs/compatibility.md', async () => {
    await expect(compatibilityPage()).toMatchFileSnapshot('../docs/compatibility.md')
  })
})
