/** Subset of JSON Schema from which forms are built. */
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

/** Resolves `$ref`. Keywords next to `$ref` override those of the referenced schema. */
export function resolveRef(openApi: OpenApi, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  const target = name === undefined ? undefined : openApi.components.schemas[name]
  if (!target) return schema
  const { $ref: _, ...siblings } = schema
  return { ...resolveRef(openApi, target), ...siblings }
}
