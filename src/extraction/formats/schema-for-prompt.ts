import type { TeamModel } from '../../platform/ports/language-model.ts'
import type { ObjectSpec } from '../schema/field-spec.ts'
import askedFields from './asked-fields.json' with { type: 'json' }
import type { ValueWork } from './format.ts'

const system =
  'You turn a request in words into a list of the fields that answer it. Names are in camelCase and English. Give only fields that the request asks for.'

interface AskedField {
  name: string
  type: string
  description: string
  itemFields: string[]
}

const maxFields = 50

/** What a request in words asks for, as a model understands it. */
export async function specForPrompt(
  { model, work }: { model: TeamModel; work: Pick<ValueWork, 'readSchema'> },
  prompt: string,
  signal: AbortSignal,
): Promise<ObjectSpec> {
  const { spec } = await work.readSchema(await schemaForPrompt(model, prompt, signal))
  if (spec.kind !== 'object') throw new Error('An object schema was read as something else')
  return spec
}

/** The same as a JSON schema, for calls that read several pages by one. */
export async function schemaForPrompt(
  model: Pick<TeamModel, 'extract'>,
  prompt: string,
  signal: AbortSignal,
): Promise<Record<string, unknown>> {
  const { value } = await model.extract({ system, text: prompt, schema: askedFields }, signal)
  // The answer fits the schema: the port has checked it.
  const { fields } = value as { fields: AskedField[] }
  const properties = Object.fromEntries(
    fields.slice(0, maxFields).map((field) => [field.name, propertyOf(field)]),
  )
  return { type: 'object', properties }
}

function propertyOf({ type, description, itemFields }: AskedField): Record<string, unknown> {
  if (type === 'list of strings') return { type: 'array', description, items: { type: 'string' } }
  if (type !== 'list of objects') return { type, description }
  const properties = Object.fromEntries(
    itemFields.slice(0, maxFields).map((name) => [name, { type: 'string' }]),
  )
  return { type: 'array', description, items: { type: 'object', properties } }
}
