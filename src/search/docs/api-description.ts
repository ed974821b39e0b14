/** What is read of the API description. */
export interface ApiDescription {
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
}

export interface Operation {
  summary: string
  tags: string[]
  parameters: { name: string; description?: string; schema: Schema }[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export interface Schema {
  $ref?: string
  title?: string
  description?: string
  type?: string | string[]
  const?: unknown
  enum?: unknown[]
  default?: unknown
  minimum?: number
  maximum?: number
  properties?: Record<string, Schema>
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
}

export const referencePath = 'docs/openapi.json'
/** What stands above all sections of it. */
export const reference = 'API reference'
/** In every request, and nobody asks for them. */
export const unasked = new Set(['origin', 'integration', 'id'])
