import { describe, expect, it } from 'vitest'
import { fieldPaths, fieldValues } from './field-spec.ts'
import { readSchema } from './read-schema.ts'

const schema = {
  type: 'object',
  properties: {
    title: { type: 'string' },
    offers: { type: 'object', properties: { price: { type: 'number' }, currency: { type: 'string' } } },
    items: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } } } },
  },
}

describe('the fields of a schema', () => {
  it('have paths through objects, but not into lists', () => {
    expect(fieldPaths(readSchema(schema).spec)).toEqual(['title', 'offers.price', 'offers.currency', 'items'])
  })

  it('have the values that exist', () => {
    const value = { offers: { price: 5 }, items: [{ name: 'a' }], other: 1 }
    expect(fieldValues(readSchema(schema).spec, value)).toEqual([
      ['offers.price', 5],
      ['items', [{ name: 'a' }]],
    ])
  })

  it('are one value if the schema is not an object', () => {
    const { spec } = readSchema({ type: 'array', items: { type: 'string' } })
    expect(fieldPaths(spec)).toEqual(['value'])
    expect(fieldValues(spec, ['a'])).toEqual([['value', ['a']]])
    expect(fieldValues(spec, undefined)).toEqual([])
  })
})
