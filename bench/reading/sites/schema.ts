/** As much of JSON Schema as the pages ask for. */
export interface Schema {
  type: 'object' | 'array' | 'string' | 'number' | 'integer' | 'boolean'
  description?: string
  format?: 'date' | 'date-time' | 'uri' | 'email'
  enum?: string[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
}

const described = (description: string | undefined) => (description === undefined ? {} : { description })

export const text = (description?: string): Schema => ({ type: 'string', ...described(description) })
export const number = (description?: string): Schema => ({ type: 'number', ...described(description) })
export const integer = (description?: string): Schema => ({ type: 'integer', ...described(description) })
export const yes = (description?: string): Schema => ({ type: 'boolean', ...described(description) })
export const date = (description?: string): Schema => ({ ...text(description), format: 'date' })
export const dateTime = (description?: string): Schema => ({ ...text(description), format: 'date-time' })
export const url = (description?: string): Schema => ({ ...text(description), format: 'uri' })
export const email = (description?: string): Schema => ({ ...text(description), format: 'email' })
export const oneOf = (values: string[], description?: string): Schema => ({
  ...text(description),
  enum: values,
})
export const list = (items: Schema, description?: string): Schema => ({
  type: 'array',
  items,
  ...described(description),
})
export const object = (properties: Record<string, Schema>, ...required: string[]): Schema => ({
  type: 'object',
  properties,
  ...(required.length > 0 ? { required } : {}),
})
