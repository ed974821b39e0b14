import type { TeamModel } from '../../platform/ports/language-model.ts'
import askedFields from './asked-fields.json' with { type: 'json' }

const system =
  'You turn a request in words into a list of the fields that answer it. Names are in camelCase and English. Give only fields that the request asks for.'

interface RequestedField {
  name: string
  type: string
  description: string
  itemFields: string[]
}

const maxFields = 50

export async function schemaForPrompt(
  model: Pick<TeamModel, 'extract'>,
  prompt: string,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { value } = await model.extract({ system, text: prompt, schema: askedFields }, signal)
  // The language model port has validated the response against the schema.
  const { fields } = value as { fields: RequestedField[] }
  const properties = Object.fromEntries(
    fields.slice(0, maxFields).map((field) => [field.name, toProperty(field)]),
  )
  return { type: 'object', properties }
}

function toProperty({ type, description, itemFields }: RequestedField): Record<string, unknown> {
  if (type === 'list of strings') return { type: 'array', description, items: { type: 'string' } }
  if (type !== 'list of objects') return { type, description }
  const properties = Object.fromEntries(
    itemFields.slice(0, maxFields).map((name) => [name, { type: 'string' }]),
  )
  return { type: 'array', description, items: { type: 'object', properties } }
}
