import { describe, expect, it } from 'vitest'
import { fieldPaths } from './field-spec.ts'
import { readSchema } from './read-schema.ts'

const paths = (schema: unknown) => fieldPaths(readSchema(schema).spec)
const reference = (name: string) => ({ $ref: `#/$defs/${name}` })
const text = { type: 'string' }

/** Creates definitions that each refer to the next one `width` times. */
function chain(depth: number, width: number, join: string, last: object) {
  const level = (index: number) => ({
    title: `level ${index}`,
    [join]: Array.from({ length: width }, () => reference(`d${index + 1}`)),
  })
  const levels = Array.from({ length: depth }, (_, index) => [`d${index}`, level(index)])
  return { ...reference('d0'), $defs: { ...Object.fromEntries(levels), [`d${depth}`]: last } }
}

const last = { type: 'object', properties: { title: text }, required: ['title'] }

describe('readSchema', () => {
  it.each([
    ['allOf', 24, 20],
    ['allOf', 16, 2],
    ['anyOf', 24, 20],
    ['oneOf', 24, 20],
  ])('resolves a shared definition once: %s, depth %i, width %i', (join, depth, width) => {
    expect(paths(chain(depth, width, join, last))).toEqual(['title'])
  })

  it('joins properties and required names of several parts in order', () => {
    const part = (name: string) => ({ properties: { [name]: text }, required: [name] })
    const { spec } = readSchema({ allOf: [part('a'), part('b')], ...part('c') })
    expect(spec).toMatchObject({ kind: 'object', required: new Set(['a', 'b', 'c']) })
    expect(fieldPaths(spec)).toEqual(['a', 'b', 'c'])
  })

  it('prefers the description of a schema over that of its reference', () => {
    const described = { ...text, description: 'that of the definition' }
    const schema = { type: 'object', properties: { a: { ...reference('a'), description: 'its own' } } }
    const { spec } = readSchema({ ...schema, $defs: { a: described } })
    expect(spec).toMatchObject({ kind: 'object' })
    expect(spec.kind === 'object' && spec.fields.get('a')?.label.description).toBe('its own')
  })

  it('stops at definitions that refer to each other', () => {
    const $defs = { a: { allOf: [reference('b')] }, b: { allOf: [reference('a')], properties: { x: text } } }
    expect(paths({ ...reference('a'), $defs })).toEqual(['x'])
    expect(paths({ $ref: '#' })).toEqual(['value'])
    const tree = { type: 'object', properties: { name: text, child: { $ref: '#' } } }
    expect(paths(tree)).toHaveLength(8)
  })

  it('keeps a property named __proto__', () => {
    const part = JSON.parse('{"properties":{"__proto__":{"type":"string"}}}')
    expect(paths({ allOf: [part, { properties: { a: text } }] })).toEqual(['__proto__', 'a'])
  })

  const many = (count: number, value: unknown) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`p${index}`, value]))

  it.each([
    ['MAX_SCHEMA_DEPTH', chain(40, 1, 'allOf', last)],
    ['MAX_SCHEMA_NODES', { allOf: Array.from({ length: 10_001 }, () => ({})) }],
    ['MAX_SCHEMA_STEPS', chain(20, 20, 'allOf', { properties: many(20_000, text) })],
    [
      'MAX_SCHEMA_STEPS',
      { properties: many(400, reference('choice')), $defs: { choice: { enum: Object.keys(many(5000, 1)) } } },
    ],
  ])('rejects a schema with the name of the limit: %s', (bound, schema) => {
    expect(() => readSchema(schema)).toThrow(
      expect.objectContaining({ code: 'BAD_REQUEST', detail: expect.objectContaining({ bound }) }),
    )
  })
})
