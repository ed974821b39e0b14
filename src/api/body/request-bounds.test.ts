import { describe, expect, it } from 'vitest'
import { endpoints, v1Endpoints } from '../../bootstrap/server.ts'
import { openApi } from '../openapi.ts'
import { readIdempotencyKey } from './request-bounds.ts'

type Json = Record<string, unknown>

interface Described {
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json> }
}

/** Both versions; what has the same name in both is the same. */
const [v2, v1] = [endpoints, v1Endpoints].map((list) => openApi(list, '0') as unknown as Described)
const paths = { ...v1?.paths, ...v2?.paths }
const components = { schemas: { ...v1?.components.schemas, ...v2?.components.schemas } }

/** Every request of the API as its description shows it: bodies and parameters. */
function requests(): { name: string; schema: Json }[] {
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
function unbounded(shown: Json, path: string): string[] {
  const found: string[] = []
  const schema = resolved(shown)
  const isOpen = schema.additionalProperties !== false && schema.unevaluatedProperties !== false
  const { type, properties, items, anyOf, oneOf, allOf, additionalProperties, propertyNames } = schema
  const isChoice = anyOf !== undefined || oneOf !== undefined || allOf !== undefined
  const isNamed = schema.enum !== undefined || schema.const !== undefined || schema.not !== undefined
  if (schema['x-max-bytes'] !== undefined || isNamed) return []
  if (type === undefined && !isChoice) found.push(`${path} takes anything`)
  if (type === 'string' && schema.maxLength === undefined && !isClosed(schema) && !isFile(schema))
    found.push(`${path} has no maxLength`)
  if (type === 'array' && schema.maxItems === undefined) found.push(`${path} has no maxItems`)
  if (type === 'object' && isOpen) {
    if (schema.maxProperties === undefined) found.push(`${path} has no maxProperties`)
    if (propertyNames) found.push(...unbounded(propertyNames as Json, `${path}{name}`))
    found.push(...unbounded((additionalProperties ?? {}) as Json, `${path}{value}`))
  }
  for (const [name, inner] of Object.entries((properties ?? {}) as Record<string, Json>))
    found.push(...unbounded(inner, `${path}.${name}`))
  if (items) found.push(...unbounded(items as Json, `${path}[]`))
  for (const choice of [anyOf, oneOf].flat()) if (choice) found.push(...unbounded(choice as Json, path))
  // What closes the whole closes what is included in it.
  for (const part of (allOf ?? []) as Json[]) found.push(...unbounded(isOpen ? part : closed(part), path))
  return found
}

/** What a reference stands for, with what is said beside it. */
function resolved({ $ref, ...beside }: Json): Json {
  if (typeof $ref !== 'string') return beside
  const named = components.schemas[$ref.replace('#/components/schemas/', '')]
  if (!named) throw new Error(`${$ref} leads nowhere`)
  return { ...named, ...beside }
}

const closed = (part: Json): Json => ({ ...part, unevaluatedProperties: false })

describe('what a caller may send', () => {
  it.each(requests())('$name has a bound everywhere', ({ name, schema }) => {
    expect(unbounded(schema, name)).toEqual([])
  })
})

describe('x-idempotency-key', () => {
  it('is no key where it is empty', () => {
    expect(readIdempotencyKey({ 'x-idempotency-key': ' ' })).toBeUndefined()
    expect(readIdempotencyKey({ 'x-idempotency-key': 'a' })).toBe('a')
  })
})
