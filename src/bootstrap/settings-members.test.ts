import { describe, expect, it } from 'vitest'
import { readSettings, SettingsError, variables } from './settings.ts'

describe.each(Object.entries(variables.shape))('the variable %s', (name, schema) => {
  it('has a valid shell name and a description', () => {
    expect(name).toMatch(/^[A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*$/)
    expect(schema.description).toMatch(/^\S.{5,}/)
  })

  it('may be omitted or empty', () => {
    expect(schema.safeParse(undefined).success).toBe(true)
    expect(() => readSettings({ [name]: '' })).not.toThrow()
  })

  it('never causes anything but a SettingsError that names it, whatever its value', () => {
    for (const value of ['\u0000', 'x'.repeat(100_000), '-1', '1e400', '://', '{}', '💧']) {
      try {
        readSettings({ [name]: value })
      } catch (thrown) {
        expect(thrown).toBeInstanceOf(SettingsError)
        expect(String(thrown)).toContain(name)
      }
    }
  })
})
