import { describe, expect, it } from 'vitest'
import { compatibilityPage, unproven } from './compatibility.ts'

describe('the table of compatibility', () => {
  it('names tests that exist', () => {
    expect(unproven()).toEqual([])
  })

  it('is what docs/compatibility.md says', async () => {
    await expect(compatibilityPage()).toMatchFileSnapshot('../docs/compatibility.md')
  })
})
