import { describe, expect, it } from 'vitest'
import { schemaCheck } from './schema-check.ts'

describe('check of a schema', () => {
  it('says what does not fit', () => {
    const check = schemaCheck({
      type: 'object',
      properties: { age: { type: 'integer' } },
      required: ['name'],
    })
    expect(check({ age: 'old' })).toMatch(/name.*\/age must be integer/)
  })

  it('takes any dialect', () => {
    const check = schemaCheck({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' })
    expect(check('x')).toBeUndefined()
  })

  it('matches a pattern of a caller in linear time', () => {
    const check = schemaCheck({ type: 'string', pattern: '^(a+)+$' })
    expect(check(`${'a'.repeat(50_000)}!`)).toContain('pattern')
  })

  it.each([
    ['names no schema elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['is built of rules that exist', { type: 'nonsense' }],
    ['has patterns that can be read', { pattern: '(' }],
  ])('wants a schema that %s', (_, schema) => {
    expect(() => schemaCheck(schema)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })
})
