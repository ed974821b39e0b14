import { describe, expect, it } from 'vitest'
import { endpoints } from '../compose.ts'
import { openApi } from './openapi.ts'

type Json = Record<string, unknown>

/** Every request of the API as its description shows it: bodies and parameters. */
function requests(): { name: string; schema: Json }[] {
  const { paths } = openApi(endpoints, '0') as { paths: Record<string, Record<string, Json>> }
  return Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const body = operation.requestBody as { content: Record<string, { schema: Json }> } | undefined
      const parameters = operation.parameters as { name: string; schema: Json }[]
      return [
        ...Object.values(body?.content ?? {}).map(({ schema }) => ({ name: `${method} ${path}`, schema })),
        ...parameters.map(({ name, schema }) => ({ name: `${method} ${path} ${name}`, schema })),
      ]
    }),
  )
}

const isClosed = ({ format }: Json) => format === 'uuid'
/** What is sent beside the JSON and has a bound of its own. */
const isFile = ({ contentMediaType }: Json) => contentMediaType !== undefined

/** Places of a schema that take something without end. */
function unbounded(schema: Json, path: string): string[] {
  const found: string[] = []
  const { type, properties, items, anyOf, oneOf, allOf, additionalProperties, propertyNames } = schema
  const isChoice = anyOf !== undefined || oneOf !== undefined || allOf !== undefined
  const isNamed = schema.enum !== undefined || schema.const !== undefined || schema.not !== undefined
  if (schema['x-max-bytes'] !== undefined || isNamed) return []
  if (type === undefined && !isChoice) found.push(`${path} takes anything`)
  if (type === 'string' && schema.maxLength === undefined && !isClosed(schema) && !isFile(schema))
    found.push(`${path} has no maxLength`)
  if (type === 'array' && schema.maxItems === undefined) found.push(`${path} has no maxItems`)
  if (type === 'object' && additionalProperties !== false) {
    if (schema.maxProperties === undefined) found.push(`${path} has no maxProperties`)
    if (propertyNames) found.push(...unbounded(propertyNames as Json, `${path}{name}`))
    found.push(...unbounded((additionalProperties ?? {}) as Json, `${path}{value}`))
  }
  for (const [name, inner] of Object.entries((properties ?? {}) as Record<string, Json>))
    found.push(...unbounded(inner, `${path}.${name}`))
  if (items) found.push(...unbounded(items as Json, `${path}[]`))
  for (const choice of [anyOf, oneOf, allOf].flat())
    if (choice) found.push(...unbounded(choice as Json, path))
  return found
}

describe('what a caller may send', () => {
  it.each(requests())('$name has a bound everywhere', ({ name, schema }) => {
    expect(unbounded(schema, name)).toEqual([])
  })
})
