type Json = Record<string, unknown>

interface Operation {
  operationId: string
  summary: string
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: { 200: { content: Record<string, { schema: Json }> } }
}

/**
 * The OpenAPI document → types of the client: those with a name, and for each operation its request and its answer where
 * these have no name of their own.
 */
export function clientTypes(api: Json): string {
  // Made by openApi() in the file next door, which has this shape.
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
    // A stream has no value to describe: clients read it as it comes.
    const answer = operation.responses[200].content['application/json']?.schema
    return [
      ...(isUnnamed(body)
        ? [`/** Request of: ${operation.summary}. */\nexport type ${name}Request = ${typeText(body, 0)}`]
        : []),
      ...(isUnnamed(answer)
        ? [`/** Response of: ${operation.summary}. */\nexport type ${name}Response = ${typeText(answer, 0)}`]
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
    const { allOf, ...own } = schema
    return [...allOf, own].map((part) => typeText(part, depth)).join(' & ')
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

/** Unknown is everything, so nothing beside it says more. */
function union(types: string[]): string {
  return types.includes('unknown') ? 'unknown' : [...new Set(types)].join(' | ')
}

function arrayText(schema: Json, depth: number): string {
  if (Array.isArray(schema.prefixItems))
    return `[${schema.prefixItems.map((item) => typeText(item, depth)).join(', ')}]`
  const items = (schema.items ?? {}) as Json
  const text = typeText(items, depth)
  const isJoined =
    ['enum', 'allOf', 'anyOf', 'oneOf'].some((key) => key in items) || Array.isArray(items.type)
  return isJoined && / [|&] /.test(text) ? `(${text})[]` : `${text}[]`
}

function objectText(schema: Json, depth: number): string {
  const properties = Object.entries((schema.properties ?? {}) as Record<string, Json>)
  const required = (schema.required ?? []) as string[]
  const indent = '  '.repeat(depth + 1)
  const rest = schema.additionalProperties
  const isOpen = rest !== undefined && rest !== false
  if (properties.length === 0)
    return isOpen && rest !== true
      ? `Record<string, ${typeText(rest as Json, depth)}>`
      : 'Record<string, unknown>'
  const lines = properties.map(([name, property]) => {
    const { description } = property
    // What ends a comment would end it, wherever it stands.
    const note =
      typeof description === 'string' ? `${indent}/** ${description.replaceAll('*/', '*\\/')} */\n` : ''
    return `${note}${indent}${name}${required.includes(name) ? '' : '?'}: ${typeText(property, depth + 1)}`
  })
  // An index signature must admit every named field too, so an open object admits anything under other names.
  const open = isOpen ? [`${indent}[name: string]: unknown`] : []
  return `{\n${[...lines, ...open].join('\n')}\n${'  '.repeat(depth)}}`
}
