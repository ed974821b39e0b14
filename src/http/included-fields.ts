import { isDeepStrictEqual } from 'node:util'

type Json = Record<string, unknown>

/** An object of the description that may include others. */
interface ObjectSchema extends Json {
  allOf?: { $ref: string }[]
  properties?: Json
  additionalProperties?: unknown
}

const place = '#/components/schemas/'

/**
 * Takes out of each named object the fields of those that it includes. An included object cannot be closed, as it does
 * not know the fields beside its own: the schema that refers to it is closed, by `unevaluatedProperties`.
 */
export function shareIncluded(api: { components: { schemas: Record<string, ObjectSchema> } }): void {
  const { schemas } = api.components
  const included = new Map<string, ObjectSchema>()
  for (const [name, schema] of Object.entries(schemas)) {
    for (const { $ref } of schema.allOf ?? []) {
      const base = schemas[$ref.slice(place.length)]
      if (!base) throw new Error(`${name} includes ${$ref}, which is not described.`)
      takeOut(base, schema, `${name} includes ${$ref}`)
      included.set($ref, base)
    }
  }
  for (const base of included.values()) delete base.additionalProperties
  closeReferences(api, new Set(included.keys()))
}

function takeOut(base: ObjectSchema, schema: ObjectSchema, about: string): void {
  const own = { ...schema.properties }
  for (const [field, described] of Object.entries(base.properties ?? {})) {
    if (!isDeepStrictEqual(own[field], described)) throw new Error(`${about}, but its ${field} differs.`)
    delete own[field]
  }
  schema.properties = own
  if (schema.additionalProperties !== false) return
  delete schema.additionalProperties
  schema.unevaluatedProperties = false
}

function closeReferences(value: unknown, included: ReadonlySet<string>): void {
  if (typeof value !== 'object' || value === null) return
  const schema = value as Json
  if (typeof schema.$ref === 'string' && included.has(schema.$ref)) schema.unevaluatedProperties = false
  for (const [key, part] of Object.entries(schema)) if (key !== 'allOf') closeReferences(part, included)
}
