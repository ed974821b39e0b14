import { describe, expect, it } from 'vitest'
import { endpoints, v1Endpoints } from '../../bootstrap/server.ts'
import { openApi } from '../openapi.ts'
import { readIdempotencyKey } from './request-bounds.ts'

type Json = Record<string, unknown>

interface OpenApiDocument {
  paths: Record<string, Record<string, Json>>
  components: { schemas: Record<string, Json> }
}

/** OpenAPI descriptions of both versions. Paths and schemas with the same name in both are identical. */
const [v2, v1] = [endpoints, v1Endpoints].map((list) => openApi(list, '0') as unknown as OpenApiDocument)
const paths = { ...v1?.paths, ...v2?.paths }
const components = { schemas: { ...v1?.components.schemas, ...v2?.components.schemas } }

/** Returns the schema of every request body and parameter. */
function listRequestSchemas(): { name: string; schema: Json }[] {
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

const hasFixedLength = ({ format }: Json) => format === 'uuid'
/** A file is not part of the JSON and has its own limit. */
const isFile = ({ contentMediaType }: Json) => contentMediaType !== undefined

/** Returns the paths in a schema that accept values of unlimited size. */
function findUnbounded(unresolved: Json, path: string): string[] {
  const problems: string[] = []
  const schema = resolveRef(unresolved)
  const isOpen = schema.additionalProperties !== false && schema.unevaluatedProperties !== false
  const { type, properties, items, anyOf, oneOf, allOf, additionalProperties, propertyNames } = schema
  const isUnion = anyOf !== undefined || oneOf !== undefined || allOf !== undefined
  const isConstrained = schema.enum !== undefined || schema.const !== undefined || schema.not !== undefined
  if (schema['x-max-bytes'] !== undefined || isConstrained) return []
  if (type === undefined && !isUnion) problems.push(`${path} takes anything`)
  if (type === 'string' && schema.maxLength === undefined && !hasFixedLength(schema) && !isFile(schema))
    problems.push(`${path} has no maxLength`)
  if (type === 'array' && schema.maxItems === undefined) problems.push(`${path} has no maxItems`)
  if (type === 'object' && isOpen) {
    if (schema.maxProperties === undefined) problems.push(`${path} has no maxProperties`)
    if (propertyNames) problems.push(...findUnbounded(propertyNames as Json, `${path}{name}`))
    problems.push(...findUnbounded((additionalProperties ?? {}) as Json, `${path}{value}`))
  }
  for (const [name, inner] of Object.entries((properties ?? {}) as Record<string, Json>))
    problems.push(...findUnbounded(inner, `${path}.${name}`))
  if (items) problems.push(...findUnbounded(items as Json, `${path}[]`))
  for (const choice of [anyOf, oneOf].flat())
    if (choice) problems.push(...findUnbounded(choice as Json, path))
  // A closed schema also closes the schemas that it includes.
  for (const part of (allOf ?? []) as Json[])
    problems.push(...findUnbounded(isOpen ? part : closeSchema(part), path))
  return problems
}

/** Returns the schema with its reference resolved. Keywords next to the reference are kept. */
function resolveRef({ $ref, ...siblings }: Json): Json {
  if (typeof $ref !== 'string') return siblings
  const target = components.schemas[$ref.replace('#/components/schemas/', '')]
  if (!target) throw new Error(`${$ref} leads nowhere`)
  return { ...target, ...siblings }
}

const closeSchema = (part: Json): Json => ({ ...part, unevaluatedProperties: false })

describe('request schemas', () => {
  it.each(listRequestSchemas())('$name limits the size of every value', ({ name, schema }) => {
    expect(findUnbounded(schema, name)).toEqual([])
  })
})

describe('x-idempotency-key', () => {
  it('is undefined if the header is empty', () => {
    expect(readIdempotencyKey({ 'x-idempotency-key': ' ' })).toBeUndefined()
    expect(readIdempotencyKey({ 'x-idempotency-key': 'a' })).toBe('a')
  })
})
