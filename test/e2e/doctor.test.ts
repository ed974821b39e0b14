import { describe, expect, inject, it } from 'vitest'
import { runCommand } from '../service.ts'

describe('npm run doctor', () => {
  it('finds no fault next to a running service', async () => {
    const { code, stdout } = await runCommand(['doctor'], inject('deployment').environment)
    for (const part of [
      ...['store', 'ledger', 'blobs', 'fetching', 'network guard'],
      ...['browser', 'browser guard'],
    ]) {
      expect(stdout).toMatch(new RegExp(`✓ ${part}`))
    }
    expect(stdout).toMatch(/✓ sandbox .* ran a program/)
    expect(code).toBe(0)
  })
})
