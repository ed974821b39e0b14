type Json = Record<string, unknown>

interface Operation {
  operationId: string
  summary: string
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: { 200: { content: Record<string, { schema: Json }> } }
}

/**
 * Returns the TypeScript types of the client for an OpenAPI document: all named schemas, and the request and response
 * of each operation if they have no name.
 */
export function clientTypes(api: Json): string {
  // `openApi()` creates the document with this shape.
  const { paths, components } = api as {
    paths: Record<string, Record<string, Operation>>
    components: { schemas: Record<string, Json> }
  }
  const named = Object.entries(components.schemas)
    .filter(([name]) => name !== 'Error')
    .map(([name, schema]) => `export type ${name} = ${typeText(schema, 0)}`)
  const operations = Object.values(paths).flatMap((methods) => Object.values(methods))
  const types = operations.flatMap((operation) => {
    const name = operation.operationId[0]?.toUpperCase() + operation.operationId.slice(1)
    const body = Object.values(operation.requestBody?.content ?? {})[0]?.schema
    // A streamed response has no JSON schema, because clients read it in chunks.
    const response = operation.responses[200].content['application/json']?.schema
    return [
      ...(isUnnamed(body)
        ? [`/** Request of: ${operation.summary}. */\nexport type ${name}Request = ${typeText(body, 0)}`]
        : []),
      ...(isUnnamed(response)
        ? [
            `/** Response of: ${operation.summary}. */\nexport type ${name}Response = ${typeText(response, 0)}`,
          ]
        : []),
    ]
  })
  return `// Generated from docs/openapi.json by \`npm run generate\`.\n\n${[...named, ...types].join('\n\n')}\n`
}

function isUnnamed(schema: Json | undefined): schema is Json {
  return schema !== undefined && schema.$ref === undefined
}

function typeText(schema: Json, depth: number): string {
  if (typeof schema.$ref === 'string') return schema.$ref.slice(schema.$ref.lastIndexOf('/') + 1)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (Array.isArray(schema.enum)) return schema.enum.map((value) => JSON.stringify(value)).join(' | ')
  if (Array.isArray(schema.allOf)) {
    const { allOf, ...ownSchema } = schema
    return [...allOf, ownSchema].map((part) => typeText(part, depth)).join(' & ')
  }
  const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
  if (choices) return union(choices.map((choice) => typeText(choice, depth)))
  if (Array.isArray(schema.type)) {
    return union(schema.type.map((type) => typeText({ ...schema, type }, depth)))
  }
  switch (schema.type) {
    case 'array':
      return arrayText(schema, depth)
    case 'object':
      return objectText(schema, depth)
    case 'integer':
      return 'number'
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return schema.type
    default:
      return 'unknown'
  }
}

/** Returns a union type. It is `unknown` if one member is `unknown`, which includes every other type. */
function union(types: string[]): string {
  return types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ')
}

function arrayText(schema: Json, depth: number): string {
  if (Array.isArray(schema.prefixItems))
    return `[${schema.prefixItems.map((item) => typeText(item, depth)).join(', ')}]`
  const items = (schema.items ?? {}) as Json
  const text = typeText(items, depth)
  const isComposite =
    ['enum', 'allOf', 'anyOf', 'oneOf'].some((key) => key in items) || Array.isArray(items.type)
  return isComposite && / [|&] /.test(text) ? `(${text})[]` : `${text}[]`
}

function objectText(schema: Json, depth: number): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const required = (schema.required ?? []) as string[]
  const indent = '  '.repeat(depth + 1)
  const extra = schema.additionalProperties
  const isOpen = extra !== undefined && extra !== false
  if (properties.length === 0)
    return isOpen && extra !== true
      ? `Record<string, ${typeText(extra as Json, depth)}>`
      : 'Record<string, unknown>'
  const lines = properties.map(([name, property]) => {
    const { description } = property
    // `*/` in a description would end the comment, so it is escaped.
    const comment =
      typeof description === 'string' ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : ''
    return `${comment}${indent}${name}${required.includes(name) ? '' : '?'}: ${typeText(property, depth + 1)}`
  })
  // An index signature must also match every named field, so an open object permits `unknown` for other names.
  const indexSignature = isOpen ? [`${indent}[name: string]: unknown`] : []
  return `{\n${[...lines, ...indexSignature].join('\n')}\n${'  '.repeat(depth)}}`
}
