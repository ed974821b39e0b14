import { apiPath, isPathSegment } from '../../../client/src/api-path.ts'
import type { OpenApi } from '../api/schema.ts'
import type { Call } from './calls.ts'
import { type Field, fieldsOf, shapeOf } from './form/shape.ts'

export interface CallForm {
  summary: string
  /** In the order of the call: what stands on top, then the options. */
  first: Field[]
  options: Field[]
  /** Names of fields that are part of the address. */
  inPath: string[]
  takesFile: boolean
}

/** The form of a call, from the description of the API. */
export function formOf(openApi: OpenApi, call: Call): CallForm {
  const operation = openApi.paths[call.path]?.post
  const content = operation?.requestBody?.content ?? {}
  const upload = content['multipart/form-data']?.schema
  const schema = upload?.properties?.options ?? content['application/json']?.schema ?? {}
  const parts = (operation?.parameters ?? []).filter((one) => one.in === 'path')
  const fields: Field[] = [
    ...parts.map(({ name, description, schema: shape }) => ({
      name,
      ...(description === undefined ? {} : { description }),
      isRequired: true,
      shape: shapeOf(openApi, shape, name),
    })),
    ...fieldsOf(openApi, schema),
  ]
  return {
    summary: operation?.summary ?? '',
    first: call.first.flatMap((name) => fields.find((field) => field.name === name) ?? []),
    options: fields.filter(({ name }) => !call.first.includes(name)),
    inPath: parts.map(({ name }) => name),
    takesFile: upload !== undefined,
  }
}

/** The request taken apart: what belongs into the address, and what is sent, in the order of the form. */
export function withSessionPath(call: Call, form: CallForm, request: Record<string, unknown>) {
  const values = form.inPath.map((name) => [name, String(request[name] ?? '')] as const)
  // A form that is not filled in yet has no path. The call is refused before it is sent.
  const isFilled = values.every(([, value]) => isPathSegment(value))
  const path = isFilled ? apiPath(call.path, Object.fromEntries(values)) : call.path
  const order = [...form.first, ...form.options].map(({ name }) => name)
  const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length)
  const body = Object.fromEntries(
    Object.entries(request)
      .filter(([name]) => !form.inPath.includes(name))
      .sort(([one], [other]) => place(one) - place(other)),
  )
  return { path, body }
}
