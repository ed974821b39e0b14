import { describe, expect, it } from 'vitest'
import { getSchemaCheck } from './schema-check.ts'
import { strictSchema } from './strict-schema.ts'

const product = {
  $schema: 'http://json-schema.org/draft-07/schema#',
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, description: 'As on the page.' },
    price: { type: 'number', minimum: 0 },
    colour: { enum: ['red', 'blue'] },
    size: { type: 'string', enum: ['s', 'm'] },
    rating: { type: ['number', 'null'] },
    maker: { $ref: '#/$defs/maker' },
    offers: {
      type: 'array',
      items: {
        type: 'object',
        properties: { shop: { type: 'string' }, stock: { type: 'integer' } },
        required: ['shop'],
      },
    },
  },
  required: ['name'],
  $defs: { maker: { type: 'object', properties: { name: { type: 'string' }, town: { type: 'string' } } } },
}

describe('strictSchema', () => {
  it('requires all properties, and makes optional ones nullable', () => {
    const { rules } = strictSchema(product) ?? {}
    expect(rules).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', description: 'As on the page.' },
        price: { type: ['number', 'null'] },
        colour: { anyOf: [{ enum: ['red', 'blue'] }, { type: 'null' }] },
        size: { type: ['string', 'null'], enum: ['s', 'm', null] },
        rating: { type: ['number', 'null'] },
        maker: { anyOf: [{ $ref: '#/$defs/maker' }, { type: 'null' }] },
        offers: {
          type: ['array', 'null'],
          items: {
            type: 'object',
            properties: { shop: { type: 'string' }, stock: { type: ['integer', 'null'] } },
            required: ['shop', 'stock'],
            additionalProperties: false,
          },
        },
      },
      required: ['name', 'price', 'colour', 'size', 'rating', 'maker', 'offers'],
      additionalProperties: false,
      $defs: {
        maker: {
          type: 'object',
          properties: { name: { type: ['string', 'null'] }, town: { type: ['string', 'null'] } },
          required: ['name', 'town'],
          additionalProperties: false,
        },
      },
    })
  })

  it('restores values to the form of the original schema', () => {
    const value = {
      ...{ name: 'Lamp', price: null, colour: null, size: null, rating: null },
      ...{ maker: { name: 'Ada', town: null }, offers: [{ shop: 'Quay', stock: null }] },
    }
    expect(getSchemaCheck(strictSchema(product)?.rules ?? {})(value)).toBeUndefined()
    const restored = strictSchema(product)?.restore(value)
    expect(restored).toEqual({
      name: 'Lamp',
      rating: null,
      maker: { name: 'Ada' },
      offers: [{ shop: 'Quay' }],
    })
    expect(getSchemaCheck(product)(restored)).toBeUndefined()
  })

  it('keeps a null for a required property, so that the check reports it', () => {
    expect(strictSchema(product)?.restore({ name: null })).toEqual({ name: null })
  })

  it.each([
    ['an object of any names', { type: 'object', additionalProperties: { type: 'string' } }],
    ['an object that says nothing', { type: 'object' }],
    ['further names', { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: true }],
    ['a value of any kind', { type: 'object', properties: { a: {} } }],
    ['a list of any kind', { type: 'object', properties: { a: { type: 'array' } } }],
    ['rules that no server takes', { type: 'object', properties: { a: { not: { type: 'string' } } } }],
    ['a list', { type: 'array', items: { type: 'string' } }],
  ])('returns undefined for %s', (_, schema) => {
    expect(strictSchema(schema)).toBeUndefined()
  })

  it('returns undefined for a schema that is too deep', () => {
    let schema: Record<string, unknown> = { type: 'string' }
    for (let depth = 0; depth < 5000; depth++)
      schema = { type: 'object', properties: { a: schema }, required: ['a'] }
    expect(strictSchema(schema)).toBeUndefined()
  })

  it('follows circular references only as deep as the value', () => {
    const tree = {
      type: 'object',
      properties: { name: { type: 'string' }, left: { $ref: '#' }, odd: { $ref: '#/$defs/odd' } },
      $defs: { odd: { anyOf: [{ $ref: '#/$defs/odd' }] } },
    }
    expect(strictSchema(tree)?.restore({ name: 'a', left: { name: null, left: null }, odd: {} })).toEqual({
      ...{ name: 'a', left: {}, odd: {} },
    })
  })
})
