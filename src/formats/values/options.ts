import { anyJson, text } from '../../base/bounded.ts'

/** The options of formats that read values of a page. Clients send null for what their caller did not give. */

export function schemaOption() {
  return anyJson('MAX_SCHEMA_BYTES')
    .refine(
      (schema) => (schema ?? undefined) === undefined || isObject(schema),
      'is a JSON schema: an object',
    )
    .refine((schema) => !isOpen(schema), 'names no properties. Name those that shall be read.')
    .nullish()
}

export function promptOption() {
  return text('MAX_PROMPT_LENGTH').nullish()
}

/** Of a schema that says nothing only words can tell what is wanted. */
export function checkSchema({
  schema,
  prompt,
}: {
  schema?: unknown
  prompt?: string | null | undefined
}): { option: string; problem: string } | undefined {
  return isObject(schema) && saysNothing(schema) && !prompt
    ? { option: 'schema', problem: emptySchema }
    : undefined
}

/** The schema that says what is wanted, if there is one. */
export function givenSchema(schema: unknown): Record<string, unknown> | undefined {
  return isObject(schema) && !saysNothing(schema) ? schema : undefined
}

export function isObject(given: unknown): given is Record<string, unknown> {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

const emptySchema =
  'names no properties. Name those that shall be read; of a Zod 4 schema, clients that know Zod 3 send nothing: give them z.toJSONSchema(schema).'
const besideValues = new Set(['$schema', '$id', '$comment', 'title', 'description'])

function saysNothing(schema: Record<string, unknown>): boolean {
  return Object.keys(schema).every((key) => besideValues.has(key))
}

/** An object of anything: it says nothing about what is wanted. */
function isOpen(given: unknown): boolean {
  if (!isObject(given) || given.type !== 'object') return false
  const { properties } = given
  const isNamed = isObject(properties) && Object.keys(properties).length > 0
  return !isNamed && given.additionalProperties === true
}
