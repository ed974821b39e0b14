import { describe, expect, it } from 'vitest'
import { getSchemaCheck } from './schema-check.ts'

describe('schemaCheck', () => {
  it('returns the path and the reason of each error', () => {
    const check = getSchemaCheck({
      type: 'object',
      properties: { age: { type: 'integer' } },
      required: ['name'],
    })
    expect(check({ age: 'old' })).toMatch(/name.*\/age must be integer/)
  })

  it('accepts any dialect of JSON Schema', () => {
    const check = getSchemaCheck({ $schema: 'http://json-schema.org/draft-07/schema#', type: 'string' })
    expect(check('x')).toBeUndefined()
  })

  it('matches a pattern of a caller in linear time', () => {
    const check = getSchemaCheck({ type: 'string', pattern: '^(a+)+$' })
    expect(check(`${'a'.repeat(50_000)}!`)).toContain('pattern')
  })

  it.each([
    ['names no schema elsewhere', { $ref: 'https://example.com/schema.json' }],
    ['is built of rules that exist', { type: 'nonsense' }],
    ['has patterns that can be read', { pattern: '(' }],
  ])('throws BAD_REQUEST unless the schema %s', (_, schema) => {
    expect(() => getSchemaCheck(schema)).toThrow(expect.objectContaining({ code: 'BAD_REQUEST' }))
  })
})
