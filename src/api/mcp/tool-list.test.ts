import { describe, expect, it } from 'vitest'
import { listedTools } from './tool-list.ts'

type Json = Record<string, unknown>

/** Returns the paths in a schema that accept values of unlimited size. */
function findUnbounded(schema: Json, path: string): string[] {
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
    ...inner.flatMap(([name, property]) => findUnbounded(property, `${path}.${name}`)),
    ...(items ? findUnbounded(items as Json, `${path}[]`) : []),
    ...((anyOf ?? []) as Json[]).flatMap((variant) => findUnbounded(variant, path)),
  ]
}

describe.each(listedTools)('the tool $name', ({ name, inputSchema, description }) => {
  const fields = Object.entries((inputSchema.properties ?? {}) as Record<string, Json>)

  it('has a bound for every field', () => {
    expect(findUnbounded(inputSchema as Json, name)).toEqual([])
  })

  it('describes every field, and has a description below 500 characters', () => {
    expect(fields.filter(([, { description }]) => typeof description !== 'string')).toEqual([])
    expect(description?.length).toBeLessThan(500)
  })

  it('has an input schema below 5000 characters', () => {
    expect(JSON.stringify(inputSchema).length).toBeLessThan(5000)
  })
})
