/** The part of a JSON schema that forms are made of. */
export interface Schema {
  $ref?: string
  type?: string | string[]
  description?: string
  deprecated?: boolean
  default?: unknown
  enum?: unknown[]
  const?: unknown
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  minItems?: number
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  minimum?: number
  exclusiveMinimum?: number
  maximum?: number
  maxLength?: number
  format?: string
}

interface Operation {
  summary?: string
  parameters?: { name: string; in: string; required?: boolean; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema; example?: unknown }> }
}

export interface OpenApi {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

/** A schema without the detour by its name. */
export function resolve(openApi: OpenApi, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  const found = name === undefined ? undefined : openApi.components.schemas[name]
  if (!found) return schema
  const { $ref: _, ...beside } = schema
  return { ...resolve(openApi, found), ...beside }
}
