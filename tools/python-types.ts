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

/** Fields that methods of the client take by position though the API does not require them. */
const byPosition: Record<string, string[]> = {
  postExtract: ['urls'],
  postScrapeInteract: ['code'],
}

/**
 * The OpenAPI document → types of the Python client. Dictionaries have the names of the API, so that a document is the
 * same in an answer, a webhook and a download; arguments of methods have names of Python.
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

/** Names of arguments that the API writes differently. */
export function pythonNames(document: Json): string {
  const writer = new TypeWriter(document as unknown as Api)
  const names = new Map<string, string>()
  for (const { name } of writer.operations().flatMap((operation) => writer.argumentsOf(operation))) {
    const known = names.get(snakeCase(name))
    if (known !== undefined && known !== name)
      throw new Error(`${known} and ${name} have the same name in Python.`)
    names.set(snakeCase(name), name)
  }
  const rows = [...names]
    .filter(([own, wire]) => own !== wire)
    .sort(([left], [right]) => (left < right ? -1 : 1))
    .map(([own, wire]) => `    ${JSON.stringify(own)}: ${JSON.stringify(wire)},`)
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

  operations(): Operation[] {
    return Object.values(this.#api.paths).flatMap((methods) => Object.values(methods))
  }

  /** Fields of the body or the query that are given by name. */
  argumentsOf(operation: Operation): Argument[] {
    const { parameters = [], requestBody, operationId } = operation
    const query = parameters
      .filter((parameter) => parameter.in === 'query')
      .map(({ name, schema, description }) => ({ name, schema: { ...schema, description } }))
    if (requestBody === undefined) return query
    const [content] = Object.values(requestBody.content)
    const body = this.#flat(content?.schema ?? {})
    // A form has its options in one field, as JSON.
    const form =
      requestBody.content['multipart/form-data'] && (body.properties as Record<string, Json>).options
    const { properties = {}, required = [] } = form ? this.#flat(form) : body
    const positional = [...(required as string[]), ...(byPosition[operationId] ?? [])]
    const fields = Object.entries(properties as Record<string, Json>)
    return fields.filter(([name]) => !positional.includes(name)).map(([name, schema]) => ({ name, schema }))
  }

  write(): string {
    const named = Object.entries(this.#api.components.schemas).filter(([name]) => name !== 'Error')
    for (const [name] of named) this.#names.add(name)
    for (const [name, schema] of named) this.#define(name, schema)
    for (const operation of this.operations()) this.#defineOperation(operation)
    return [...this.#classes, this.#aliases.join('\n')].join('\n\n')
  }

  #defineOperation(operation: Operation): void {
    const { operationId, summary, requestBody } = operation
    const name = operationId[0]?.toUpperCase() + operationId.slice(1)
    const given = this.argumentsOf(operation)
    if (given.length > 0) {
      const own = requestBody ? `${name.replace(/^Post/, '')}Arguments` : `${name.replace(/^Get/, '')}Query`
      const properties = Object.fromEntries(
        given.map((argument) => [snakeCase(argument.name), argument.schema]),
      )
      this.#defineObject(this.#fresh(own), { description: `Request of: ${summary}.`, properties })
    }
    // A stream has no value to describe.
    const answer = operation.responses[200].content['application/json']?.schema
    if (answer)
      this.#define(this.#fresh(`${name}Response`), {
        ...answer,
        description: `Response of: ${summary}.`,
      })
  }

  #define(name: string, schema: Json): void {
    const flat = schema.allOf ? this.#flat(schema) : schema
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
        note: typeof property.description === 'string' ? property.description : undefined,
      })
    }
    this.#classes.push(
      typedDict(name, fields, typeof schema.description === 'string' ? schema.description : undefined),
    )
  }

  /** An object together with everything that it includes. */
  #flat(schema: Json): Json {
    if (typeof schema.$ref === 'string') return this.#flat(this.#api.components.schemas[nameOf(schema)] ?? {})
    const parts = [...((schema.allOf ?? []) as Json[]).map((part) => this.#flat(part)), schema]
    return {
      ...schema,
      properties: Object.assign({}, ...parts.map((part) => part.properties ?? {})),
      required: parts.flatMap((part) => (part.required ?? []) as string[]),
      allOf: undefined,
    }
  }

  #fresh(name: string): string {
    if (this.#names.has(name)) throw new Error(`There are two types for Python with the name ${name}.`)
    this.#names.add(name)
    return name
  }

  #isClass(name: string): boolean {
    const schema = this.#api.components.schemas[name] ?? {}
    return hasFields(schema.allOf ? this.#flat(schema) : schema)
  }

  /** In an alias the names of other aliases are quoted: they may be defined further below. */
  #text(schema: Json, name: string, isAlias: boolean): string {
    if (typeof schema.$ref === 'string')
      return isAlias && !this.#isClass(nameOf(schema)) ? `"${nameOf(schema)}"` : nameOf(schema)
    if (schema.const !== undefined) return `Literal[${pythonLiteral(schema.const)}]`
    if (Array.isArray(schema.enum)) return `Literal[${schema.enum.map(pythonLiteral).join(', ')}]`
    const choices = (schema.anyOf ?? schema.oneOf) as Json[] | undefined
    if (choices)
      return union(
        choices.map((choice, at) => this.#text(choice, name + (markOf(choice) ?? at + 1), isAlias)),
      )
    if (Array.isArray(schema.type))
      return union(schema.type.map((type) => this.#text({ ...schema, type }, name, isAlias)))
    switch (schema.type) {
      case 'array':
        return `list[${this.#text(itemsOf(schema), `${name}Item`, isAlias)}]`
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
    this.#defineObject(this.#fresh(name), schema)
    return name
  }
}

/** The word that distinguishes one choice from the others, as part of a name. */
function markOf(schema: Json): string | undefined {
  const fields = Object.values((schema.properties ?? {}) as Record<string, Json>)
  const mark = fields.find((field) => typeof field.const === 'string')?.const as string | undefined
  return mark && pascalCase(mark)
}

function hasFields(schema: Json): boolean {
  return schema.type === 'object' && Object.keys(schema.properties ?? {}).length > 0
}

function itemsOf(schema: Json): Json {
  const first = (schema.prefixItems ?? []) as Json[]
  const rest = (schema.items ?? {}) as Json
  return first.length > 0 ? { anyOf: [...first, rest] } : rest
}

function nameOf(schema: Json): string {
  return String(schema.$ref).replace(/.*\//, '')
}

function union(types: string[]): string {
  const distinct = [...new Set(types)]
  if (distinct.includes('Any')) return 'Any'
  return distinct.length === 1 ? (distinct[0] ?? 'Any') : `Union[${distinct.join(', ')}]`
}
