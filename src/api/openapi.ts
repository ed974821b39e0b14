import { isDeepStrictEqual } from 'node:util'
import { z } from 'zod'
import { describeError, type ErrorCode } from '../platform/errors.ts'
import { capitalised } from '../platform/text.ts'
import { type Endpoint, listedCodes, mayOmitBody } from './endpoint.ts'

type Json = Record<string, unknown>

/** Requests use the input side of a schema, responses the output side. */
export function openApi(endpoints: Endpoint[], version: string): Json {
  const paths: Record<string, Json> = {}
  const named: Record<string, Json> = { Error: errorSchema }
  const responses: Record<string, Json> = {}
  for (const endpoint of endpoints) {
    const path = paths[endpoint.path] ?? {}
    path[endpoint.method.toLowerCase()] = buildOperation(endpoint, named, responses)
    paths[endpoint.path] = path
  }
  const api = {
    openapi: '3.1.0',
    info: {
      title: 'Winnow',
      version,
      description: 'Fetches web content and turns it into data for programs and language models.',
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: '/' }],
    security: [{ key: [] }],
    tags: [...new Set(endpoints.map((endpoint) => endpoint.tag))].sort().map((name) => ({ name })),
    paths,
    components: {
      securitySchemes: { key: { type: 'http', scheme: 'bearer' } },
      schemas: sortByName(named),
      responses: sortByName(responses),
    },
  }
  shareIncluded(api)
  return api
}

function sortByName(named: Record<string, Json>): Record<string, Json> {
  return Object.fromEntries(Object.entries(named).sort(([left], [right]) => (left < right ? -1 : 1)))
}

function buildOperation(
  endpoint: Endpoint,
  named: Record<string, Json>,
  responses: Record<string, Json>,
): Json {
  const { body } = endpoint
  const requestBody = body && {
    required: !mayOmitBody(endpoint),
    content: buildBodyContent(endpoint, body, named),
  }
  return {
    operationId: operationId(endpoint),
    summary: endpoint.summary,
    tags: [endpoint.tag],
    ...(endpoint.isDeprecated ? { deprecated: true } : {}),
    ...(endpoint.access === 'machine' ? { security: [] } : {}),
    parameters: [...buildParameters(endpoint.params, 'path'), ...buildParameters(endpoint.query, 'query')],
    ...(requestBody ? { requestBody } : {}),
    responses: {
      200: { description: 'Success', content: buildResponseContent(endpoint, named) },
      ...buildErrorResponses(endpoint, responses),
    },
  }
}

function buildResponseContent({ response, streams }: Endpoint, named: Record<string, Json>): Json {
  if (!streams) return { 'application/json': { schema: toJsonSchema(response, 'output', named) } }
  const schema = { type: 'string', description: streams.description }
  return Object.fromEntries(streams.types.map((type) => [type, { schema }]))
}

function buildBodyContent(endpoint: Endpoint, body: z.ZodType, named: Record<string, Json>): Json {
  const schema = toJsonSchema(body, 'input', named)
  if (!endpoint.takesFile) return { 'application/json': { schema } }
  const file = {
    type: 'string',
    contentMediaType: 'application/octet-stream',
    description: 'File to convert.',
  }
  const options = { ...schema, description: 'Options as JSON text.' }
  const form = {
    type: 'object',
    properties: { file, options },
    required: ['file'],
    additionalProperties: false,
  }
  return {
    'multipart/form-data': { schema: form, encoding: { options: { contentType: 'application/json' } } },
  }
}

/** `POST /v2/batch/scrape/{id}/errors` → `postBatchScrapeErrors`. */
export function operationId(endpoint: Pick<Endpoint, 'method' | 'path'>): string {
  const segments = endpoint.path
    .replace(/^\/v2/, '')
    .split(/[/-]/)
    .filter((segment) => segment !== '' && !segment.startsWith('{'))
  const suffix = endpoint.path.endsWith('}') ? 'ById' : ''
  return endpoint.method.toLowerCase() + segments.map(capitalised).join('') + suffix
}

function buildParameters(schema: z.ZodType | undefined, location: 'path' | 'query'): Json[] {
  if (!schema) return []
  const { properties = {}, required = [] } = toJsonSchema(schema, 'input', {}) as {
    properties?: Record<string, Json>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...rest }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: rest,
  }))
}

/** Responses with up to this many codes are often identical, so they are shared and named after their codes. */
const maxSharedCodes = 3

function buildErrorResponses(endpoint: Endpoint, responses: Record<string, Json>): Json {
  const byStatus = new Map<number, ErrorCode[]>()
  for (const code of listedCodes(endpoint)) {
    const { status } = describeError(code)
    byStatus.set(status, [...(byStatus.get(status) ?? []), code])
  }
  const statuses = [...byStatus].sort(([left], [right]) => left - right)
  return Object.fromEntries(
    statuses.map(([status, codes]) => {
      const response = buildErrorResponse(codes)
      if (codes.length > maxSharedCodes) return [status, response]
      const name = codes.join('.')
      responses[name] = response
      return [status, { $ref: `#/components/responses/${name}` }]
    }),
  )
}

function buildErrorResponse(codes: ErrorCode[]): Json {
  return {
    description: codes.map((code) => `\`${code}\`: ${describeError(code).message}`).join('\n\n'),
    content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
  }
}

const errorSchema: Json = {
  type: 'object',
  properties: {
    success: { const: false },
    code: { type: 'string', description: 'Name of the error; stable.' },
    error: { type: 'string', description: 'Description of the error and of a fix.' },
    id: {
      type: 'string',
      description: 'Id of the job, if the request created one; read it with `GET /v2/jobs/{id}/trace`.',
    },
    details: { description: 'Additional details for some codes; for BAD_REQUEST the list of issues.' },
  },
  required: ['success', 'code', 'error'],
}

function toJsonSchema(schema: z.ZodType, io: 'input' | 'output', named: Record<string, Json>): Json {
  const converted = z.toJSONSchema(schema, { io, target: 'draft-2020-12', unrepresentable: 'any' })
  // Zod references `$defs`. The replacement changes nothing else: no value in our schemas looks like such a reference.
  const text = JSON.stringify(converted).replaceAll('"#/$defs/', '"#/components/schemas/')
  const { $schema: _, $defs = {}, ...rest }: Json & { $defs?: Record<string, Json> } = JSON.parse(text)
  for (const [name, definition] of Object.entries($defs)) {
    // Each name must have one shape: the input and output shapes differ as soon as a field has a default.
    if (named[name] && !isDeepStrictEqual(named[name], { title: name, ...definition }))
      throw new Error(`There are two shapes of the name ${name} in the API.`)
    named[name] = { title: name, ...definition }
  }
  return rest
}

interface ObjectSchema extends Json {
  allOf?: { $ref: string }[]
  properties?: Json
  additionalProperties?: unknown
}

const schemaPrefix = '#/components/schemas/'

/**
 * A schema in `allOf` must accept the properties of the schema that includes it. So it allows other
 * properties, and the schemas that refer to it forbid them instead.
 */
export function shareIncluded(api: { components: { schemas: Record<string, ObjectSchema> } }): void {
  const { schemas } = api.components
  const included = new Map<string, ObjectSchema>()
  for (const [name, schema] of Object.entries(schemas)) {
    for (const { $ref } of schema.allOf ?? []) {
      const base = schemas[$ref.slice(schemaPrefix.length)]
      if (!base) throw new Error(`${name} includes ${$ref}, which is not described.`)
      removeIncluded(base, schema, `${name} includes ${$ref}`)
      included.set($ref, base)
    }
  }
  for (const base of included.values()) delete base.additionalProperties
  closeReferences(api, new Set(included.keys()))
}

function removeIncluded(base: ObjectSchema, schema: ObjectSchema, context: string): void {
  const ownProperties = { ...schema.properties }
  for (const [field, definition] of Object.entries(base.properties ?? {})) {
    if (!isDeepStrictEqual(ownProperties[field], definition))
      throw new Error(`${context}, but its ${field} differs.`)
    delete ownProperties[field]
  }
  schema.properties = ownProperties
  if (schema.additionalProperties !== false) return
  delete schema.additionalProperties
  schema.unevaluatedProperties = false
}

function closeReferences(value: unknown, included: ReadonlySet<string>): void {
  if (typeof value !== 'object' || value === null) return
  const schema = value as Json
  if (typeof schema.$ref === 'string' && included.has(schema.$ref)) schema.unevaluatedProperties = false
  for (const [key, part] of Object.entries(schema)) if (key !== 'allOf') closeReferences(part, included)
}
