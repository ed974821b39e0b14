type Json = Record<string, unknown>

interface Operation {
  operationId: string
  summary: string
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: { 200: { content: Record<string, { schema: Json }> } }
}

/** The OpenAPI document → types of the client: those with a name, and one request and one answer per operation. */
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
      ...(body
        ? [`/** ${operation.summary}: what is sent. */\nexport type ${name}Request = ${typeText(body, 0)}`]
        : []),
      ...(answer
        ? [
            `/** ${operation.summary}: what comes back. */\nexport type ${name}Response = ${typeText(answer, 0)}`,
          ]
        : []),
    ]
  })
  return `// Generated from docs/openapi.json by \`npm run generate\`.\n\n${[...named, ...types].join('\n\n')}\n`
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
  if (choices) return [...new Set(choices.map((choice) => typeText(choice, depth)))].join(' | ')
  if (Array.isArray(schema.type)) {
    return schema.type.map((type) => typeText({ ...schema, type }, depth)).join(' | ')
  }
  switch (schema.type) {
    case 'array':
      return `(${typeText((schema.items ?? {}) as Json, depth)})[]`
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
    const note = typeof property.description === 'string' ? `${indent}/** ${property.description} */\n` : ''
    return `${note}${indent}${name}${required.includes(name) ? '' : '?'}: ${typeText(property, depth + 1)}`
  })
  // An index signature must admit every named field too, so an open object admits anything under other names.
  const open = isOpen ? [`${indent}[name: string]: unknown`] : []
  return `{\n${[...lines, ...open].join('\n')}\n${'  '.repeat(depth)}}`
}
