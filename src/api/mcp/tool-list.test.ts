import { describe, expect, it } from 'vitest'
import { listedTools } from './tool-list.ts'

type Json = Record<string, unknown>

/** Places of a schema that take something without end. */
function unbounded(schema: Json, path: string): string[] {
  const { type, properties, items, anyOf } = schema
  if (schema['x-max-bytes'] !== undefined || schema.enum !== undefined) return []
  const own = [
    ...(type === 'string' && schema.maxLength === undefined ? [`${path} has no maxLength`] : []),
    ...(type === 'array' && schema.maxItems === undefined ? [`${path} has no maxItems`] : []),
    ...(type === 'object' && schema.additionalProperties !== false ? [`${path} takes any key`] : []),
    ...(type === undefined && anyOf === undefined ? [`${path} takes anything`] : []),
  ]
  const inner = Object.entries((properties ?? {}) as Record<string, Json>)
  return [
    ...own,
    ...inner.flatMap(([name, one]) => unbounded(one, `${path}.${name}`)),
    ...(items ? unbounded(items as Json, `${path}[]`) : []),
    ...((anyOf ?? []) as Json[]).flatMap((one) => unbounded(one, path)),
  ]
}

describe.each(listedTools)('the tool $name', ({ name, inputSchema, description }) => {
  const fields = Object.entries((inputSchema.properties ?? {}) as Record<string, Json>)

  it('has a bound everywhere', () => {
    expect(unbounded(inputSchema as Json, name)).toEqual([])
  })

  it('says what each field is for', () => {
    expect(fields.filter(([, { description }]) => typeof description !== 'string')).toEqual([])
    expect(description?.length).toBeLessThan(500)
  })

  it('costs a model few tokens', () => {
    expect(JSON.stringify(inputSchema).length).toBeLessThan(5000)
  })
})
