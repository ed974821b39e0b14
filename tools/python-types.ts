import { type Fields, pascalCase, pythonLiteral, snakeCase, typedDict } from './python-text.ts'

type Json = Record<string, unknown>

interface Parameter {
  name: string
  in: string
  description?: string
  schema: Json
}

interface Operation {
  operationId: string
  summary: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Json }> }
  responses: { 200: { content: Record<string, { schema: Json }> } }
}

interface Api {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Json> }
}

/** Optional fields of the API that client methods take as positional arguments. */
const positionalFields: Record<string, string[]> = {
  postExtract: ['urls'],
  postScrapeInteract: ['code'],
}

/**
 * Returns the types of the Python client for an OpenAPI document. Dictionaries have API field names, so that a document
 * is the same in a response, a webhook and a download. Method arguments have Python names.
 */
export function pythonTypes(document: Json): string {
  const writer = new TypeWriter(document as unknown as Api)
  return `# Generated from docs/openapi.json by \`npm run generate\`.
"""Types of the requests and responses of the service. The client does not need them at run time."""

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict, Union

${writer.write()}
`
}

/** Returns the API field name of each Python argument whose name differs. */
export function pythonNames(document: Json): string {
  const writer = new TypeWriter(document as unknown as Api)
  const names = new Map<string, string>()
  for (const { name } of writer.listOperations().flatMap((operation) => writer.listArguments(operation))) {
    const existing = names.get(snakeCase(name))
    if (existing !== undefined && existing !== name)
      throw new Error(`${existing} and ${name} have the same name in Python.`)
    names.set(snakeCase(name), name)
  }
  const rows = [...names]
    .filter(([pythonName, apiName]) => pythonName !== apiName)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([pythonName, apiName]) => `    ${JSON.stringify(pythonName)}: ${JSON.stringify(apiName)},`)
  return `# Generated from docs/openapi.json by \`npm run generate\`.
"""Names of arguments that the API writes differently."""

from __future__ import annotations

WIRE_NAMES: dict[str, str] = {
${rows.join('\n')}
}
`
}

interface Argument {
  name: string
  schema: Json
}

class TypeWriter {
  readonly #api: Api
  readonly #classes: string[] = []
  readonly #aliases: string[] = []
  readonly #names = new Set<string>()

  constructor(api: Api) {
    this.#api = api
  }

  listOperations(): Operation[] {
    return Object.values(this.#api.paths).flatMap((methods) => Object.values(methods))
  }

  /** Returns the fields of the body or the query that are keyword arguments. */
  listArguments(operation: Operation): Argument[] {
    const { parameters = [], requestBody, operationId } = operation
    const query = parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema, description }) => ({ name, schema: { ...schema, description } }))
    if (requestBody === undefined) return query
    const [content] = Object.values(requestBody.content)
    const body = this.#flatten(content?.schema ?? {})
    // A form contains its options as JSON in one field.
    const form =
      requestBody.content['multipart/form-data'] && (body.properties as Record<string, Json>).options
    const { properties = {}, required = [] } = form ? this.#flatten(form) : body
    const positional = [...(required as string[]), ...(positionalFields[operationId] ?? [])]
    const fields = Object.entries(properties as Record<string, Json>)
    return fields.filter(([name]) => !positional.includes(name)).map(([name, schema]) => ({ name, schema }))
  }

  write(): string {
    const named = Object.entries(this.#api.components.schemas).filter(([name]) => name !== 'Error')
    for (const [name] of named) this.#names.add(name)
    for (const [name, schema] of named) this.#define(name, schema)
    for (const operation of this.listOperations()) this.#defineOperation(operation)
    return [...this.#classes, this.#aliases.join('\n')].join('\n\n')
  }

  #defineOperation(operation: Operation): void {
    const { operationId, summary, requestBody } = operation
    const name = operationId[0]?.toUpperCase() + operationId.slice(1)
    const args = this.listArguments(operation)
    if (args.length > 0) {
      const className = requestBody
        ? `${name.replace(/^Post/, '')}Arguments`
        : `${name.replace(/^Get/, '')}Query`
      const properties = Object.fromEntries(
        args.map((argument) => [snakeCase(argument.name), argument.schema]),
      )
      this.#defineObject(this.#reserveName(className), { description: `Request of: ${summary}.`, properties })
    }
    // A streamed response has no JSON schema.
    const response = operation.responses[200].content['application/json']?.schema
    if (response)
      this.#define(this.#reserveName(`${name}Response`), {
        ...response,
        description: `Response of: ${summary}.`,
      })
  }

  #define(name: string, schema: Json): void {
    const flat = schema.allOf ? this.#flatten(schema) : schema
    if (hasFields(flat)) this.#defineObject(name, flat)
    else this.#aliases.push(`${name}: TypeAlias = ${this.#text(flat, name, true)}`)
  }

  #defineObject(name: string, schema: Json): void {
    const required = (schema.required ?? []) as string[]
    const fields: Fields = { required: [], optional: [] }
    for (const [field, property] of Object.entries(schema.properties as Record<string, Json>)) {
      const inner = name + pascalCase(field)
      fields[required.includes(field) ? 'required' : 'optional'].push({
        name: field,
        type: this.#text(property, inner, false),
        description: typeof property.description === 'string' ? property.description : undefined,
      })
    }
    this.#classes.push(
      typedDict(name, fields, typeof schema.description === 'string' ? schema.description : undefined),
    )
  }

  /** Merges an object schema with the schemas that it includes. */
  #flatten(schema: Json): Json {
    if (typeof schema.$ref === 'string')
      return this.#flatten(this.#api.components.schemas[referencedName(schema)] ?? {})
    const parts = [...((schema.allOf ?? []) as Json[]).map((part) => this.#flatten(part)), schema]
    return {
      ...schema,
      properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})),
      required: parts.flatMap((part) => (part.required ?? []) as string[]),
      allOf: undefined,
    }
  }

  #reserveName(name: string): string {
    if (this.#names.has(name)) throw new Error(`There are two types for Python with the name ${name}.`)
    this.#names.add(name)
    return name
  }

  #isClass(name: string): boolean {
    const schema = this.#api.components.schemas[name] ?? {}
    return hasFields(schema.allOf ? this.#flatten(schema) : schema)
  }

  /**
   * Returns the Python type of a schema. An alias quotes the names of other aliases, because they may be defined later.
   */
  #text(schema: Json, name: string, isAlias: boolean): string {
    if (typeof schema.$ref === 'string')
      return isAlias && !this.#isClass(referencedName(schema))
        ? `"${referencedName(schema)}"`
        : referencedName(schema)
    if (schema.const !== undefined) return `Literal[${pythonLiteral(schema.const)}]`
    if (Array.isArray(schema.enum)) return `Literal[${schema.enum.map(pythonLiteral).join(', ')}]`
    const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
    if (choices)
      return union(
        choices.map((choice, index) =>
          this.#text(choice, name + (discriminatorName(choice) ?? index + 1), isAlias),
        ),
      )
    if (Array.isArray(schema.type))
      return union(schema.type.map((type) => this.#text({ ...schema, type }, name, isAlias)))
    switch (schema.type) {
      case 'array':
        return `list[${this.#text(itemSchema(schema), `${name}Item`, isAlias)}]`
      case 'object':
        return this.#objectText(schema, name, isAlias)
      case 'string':
        return 'str'
      case 'integer':
        return 'int'
      case 'number':
        return 'float'
      case 'boolean':
        return 'bool'
      case 'null':
        return 'None'
      default:
        return 'Any'
    }
  }

  #objectText(schema: Json, name: string, isAlias: boolean): string {
    if (!hasFields(schema)) {
      const rest = schema.additionalProperties
      const isTyped = typeof rest === 'object' && rest !== null
      return `dict[str, ${isTyped ? this.#text(rest as Json, `${name}Value`, isAlias) : 'Any'}]`
    }
    this.#defineObject(this.#reserveName(name), schema)
    return name
  }
}

/** Returns the constant value that distinguishes a choice from the others, as part of a class name. */
function discriminatorName(schema: Json): string | undefined {
  const fields = Object.values((schema.properties ?? {}) as Record<string, Json>)
  const value = fields.find((field) => typeof field.const === 'string')?.const as string | undefined
  return value && pascalCase(value)
}

function hasFields(schema: Json): boolean {
  return schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
}

function itemSchema(schema: Json): Json {
  const tupleItems = (schema.prefixItems ?? []) as Json[]
  const rest = (schema.items ?? {}) as Json
  return tupleItems.length > 0 ? { anyOf: [...tupleItems, rest] } : rest
}

function referencedName(schema: Json): string {
  return String(schema.$ref).replace(/.*\//, '')
}

function union(types: string[]): string {
  const distinct = [...new Set(types)]
  if (distinct.includes('Any')) return 'Any'
  return distinct.length === 1 ? (distinct[0] ?? 'Any') : `Union[${distinct.join(', ')}]`
}
