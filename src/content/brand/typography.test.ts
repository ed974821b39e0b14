import { describe, expect, it } from 'vitest'
import { familiesOf, familyOf } from './typography.ts'

describe('font families of a stack', () => {
  it.each([
    ['"Helvetica Neue", Arial, sans-serif', ['Helvetica Neue', 'Arial']],
    ['__Inter_a1b2c3, __Inter_Fallback_a1b2c3', ['Inter']],
    ['__Open_Sans_0f9e8d, "Open Sans Fallback", system-ui', ['Open Sans']],
    ['Inter, "Inter Placeholder", sans-serif', ['Inter']],
    ['"Nunito fallback: Arial", Nunito', ['Nunito']],
    ['Roboto-0123456789abcdef, serif', ['Roboto']],
    ['system-ui, -apple-system, BlinkMacSystemFont, "Segoe UI", "Apple Color Emoji"', ['Segoe UI']],
    ['ui-monospace, "JetBrains Mono", monospace', ['JetBrains Mono']],
    ['"Font Awesome 6 Free"', []],
    ['"Material Icons"', []],
    ['sans-serif', []],
    ['var(--font)', []],
    ['', []],
  ])('of %j are %j', (stack, families) => {
    expect(familiesOf(stack)).toEqual(families)
  })

  it('start with the family that the page loads', () => {
    const stack = '"SF Pro Display", __Inter_a1b2c3, sans-serif'
    expect(familyOf(stack, new Set(['Inter']))).toBe('Inter')
    expect(familyOf(stack, new Set())).toBe('SF Pro Display')
    expect(familyOf('serif', new Set())).toBeUndefined()
  })
})
