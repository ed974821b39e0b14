import { readFileSync } from 'node:fs'
import { type ApiRoute, apiRoutes, bodyFor } from './api-routes.ts'

/** A request in which one string contains U+0000. */
export interface NulVector {
  method: string
  path: string
  /** Field, parameter or header that contains the character. */
  field: string
  body?: object
}

interface Schema {
  $ref?: string
  type?: string | string[]
  enum?: unknown[]
  const?: unknown
  default?: unknown
  minimum?: number
  properties?: Record<string, Schema>
  required?: string[]
  additionalProperties?: Schema | boolean
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

interface Operation {
  parameters?: { name: string; in: string }[]
  requestBody?: { content: Record<string, { schema: Schema } | undefined> }
}

interface Description {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

const descriptions: Description[] = ['openapi.json', 'openapi-v1.json'].map((name) =>
  JSON.parse(readFileSync(new URL(`../../docs/${name}`, import.meta.url), 'utf8')),
)

const maxDepth = 5

/** Returns one vector for each string in a path, a query or a JSON body of the API descriptions. */
export function nulVectors(site: string): NulVector[] {
  return apiRoutes
    .filter(({ isEndless }) => !isEndless)
    .flatMap((route) => {
      const { operation, schemas } = findOperation(route)
      return [...inUrl(route, operation), ...inBody(route, operation, { schemas, site })]
    })
}

function findOperation({ method, path }: ApiRoute): {
  operation: Operation
  schemas: Record<string, Schema>
} {
  const description = descriptions.find(({ paths }) => paths[path]?.[method.toLowerCase()] !== undefined)
  return {
    operation: description?.paths[path]?.[method.toLowerCase()] ?? {},
    schemas: description?.components.schemas ?? {},
  }
}

function inUrl(route: ApiRoute, { parameters = [] }: Operation): NulVector[] {
  const fillPath = (path: string) => path.replaceAll(/\{\w+\}/g, 'x')
  return parameters.map(({ name, in: location }) => ({
    method: route.method,
    path:
      location === 'path'
        ? fillPath(route.path.replace(`{${name}}`, 'a%00b'))
        : `${fillPath(route.path)}?${name}=a%00b`,
    field: `${location} ${name}`,
    ...(route.takesBody ? { body: bodyFor(route, 'http://127.0.0.1:1/') } : {}),
  }))
}

interface Context {
  schemas: Record<string, Schema>
  site: string
}

function inBody(route: ApiRoute, { requestBody }: Operation, context: Context): NulVector[] {
  const schema = requestBody?.content['application/json']?.schema
  if (!schema) return []
  const base = bodyFor(route, `${context.site}/nul`)
  return variants(schema, context, { name: '', depth: 0 }).map(([field, value]) => ({
    method: route.method,
    path: route.path.replaceAll(/\{\w+\}/g, '00000000-0000-7000-8000-000000000000'),
    field,
    body: { ...base, ...(value as object) },
  }))
}

type Variant = [field: string, value: unknown]

/** Returns values that are valid for a schema, each with U+0000 in a different string. */
function variants(schema: Schema, context: Context, location: { name: string; depth: number }): Variant[] {
  const { $ref, anyOf, oneOf, allOf, items, properties, additionalProperties } = schema
  if (location.depth > maxDepth) return []
  if ($ref) return variants(resolve($ref, context), context, location)
  const options = anyOf ?? oneOf ?? allOf
  const list = options?.flatMap((option) => variants(option, context, location)) ?? []
  if (isString(schema)) {
    const isUrl = /url|webhook|http/i.test(location.name)
    list.push([location.name, isUrl ? `${context.site}/nul?a\u0000b` : 'a\u0000b'])
  }
  const below = (name: string) => ({ name, depth: location.depth + 1 })
  if (items)
    for (const [field, value] of variants(items, context, below(location.name)))
      list.push([`${field}[]`, [value]])
  for (const [name, property] of Object.entries(properties ?? {}))
    for (const [field, value] of variants(property, context, below(name)))
      list.push([field === name ? name : `${name}.${field}`, { ...samples(schema, context), [name]: value }])
  if (typeof additionalProperties === 'object')
    list.push([`${location.name}.*`, { 'a\u0000b': 'x', x: 'a\u0000b' }])
  return list
}

function isString({ type, enum: values, const: constant }: Schema): boolean {
  return [type].flat().includes('string') && values === undefined && constant === undefined
}

/** Returns sample values of the required fields of an object. */
function samples({ properties = {}, required = [] }: Schema, context: Context): Record<string, unknown> {
  return Object.fromEntries(required.map((name) => [name, sample(properties[name] ?? {}, context, name)]))
}

function sample(schema: Schema, context: Context, name: string): unknown {
  if (schema.$ref) return sample(resolve(schema.$ref, context), context, name)
  if (schema.const !== undefined) return schema.const
  if (schema.enum) return schema.enum[0]
  const [first] = schema.anyOf ?? schema.oneOf ?? schema.allOf ?? []
  if (first) return sample(first, context, name)
  if (schema.properties) return samples(schema, context)
  if (schema.items) return [sample(schema.items, context, name)]
  if (isString(schema)) return /url/i.test(name) ? `${context.site}/nul` : 'x'
  return schema.default ?? schema.minimum ?? (schema.type === 'boolean' ? false : 1)
}

function resolve(reference: string, { schemas }: Context): Schema {
  return schemas[reference.slice('#/components/schemas/'.length)] ?? {}
}
