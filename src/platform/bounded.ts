import { z } from 'zod'
import { type BoundName, bounds, exceeds } from './bounds.ts'

/** Schemas that enforce a bound of the table, before any other code reads the value. */

export function text(name: BoundName) {
  return z.string().max(bounds[name].most, { error: exceeds(name), abort: true })
}

export function whole(name: BoundName, least: number) {
  return z
    .int()
    .min(least)
    .max(bounds[name].most, { error: exceeds(name), abort: true })
}

/** The same in a query, where it arrives as text. */
export function integerInQuery(name: BoundName, least: number) {
  return z.coerce
    .number()
    .int()
    .min(least)
    .max(bounds[name].most, { error: exceeds(name), abort: true })
}

export function list<Entry extends z.ZodType>(entry: Entry, name: BoundName) {
  return z.array(entry).max(bounds[name].most, { error: exceeds(name), abort: true })
}

/** Headers by name, with bounds for each of them and for all together. */
export function headerRecord() {
  return z
    .record(text('MAX_HEADER_NAME_LENGTH'), text('MAX_HEADER_LENGTH'))
    .superRefine((given, context) => {
      const entries = Object.entries(given)
      const bytes = entries.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0)
      if (entries.length > bounds.MAX_HEADERS.most) beyond('MAX_HEADERS', context)
      else if (bytes > bounds.MAX_HEADERS_BYTES.most) beyond('MAX_HEADERS_BYTES', context)
    })
    .meta({ maxProperties: bounds.MAX_HEADERS.most })
}

/** Any value whose JSON is short. */
export function anyJson(name: BoundName) {
  return z.unknown().superRefine(within(name)).meta({ 'x-max-bytes': bounds[name].most })
}

export function anyObject(name: BoundName) {
  return z
    .record(z.string(), z.unknown())
    .superRefine(within(name))
    .meta({ 'x-max-bytes': bounds[name].most })
}

/** Depth and length of a body were checked before it was parsed, so it is safe to serialise again. */
export function within(name: BoundName) {
  return (given: unknown, context: z.RefinementCtx): void => {
    const size = given === undefined ? 0 : Buffer.byteLength(JSON.stringify(given))
    if (size > bounds[name].most) beyond(name, context)
  }
}

/** Reports a bound that the schema language cannot express. */
export function beyond(name: BoundName, context: z.RefinementCtx): void {
  context.addIssue({ code: 'custom', message: exceeds(name), continue: false })
}

interface HeaderRules {
  /** Names that only the service may set. */
  reserved: RegExp
  /** Characters that a value must not contain, with the error text. */
  badValue: RegExp
  badValueSays: string
}

const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

/** Headers of a caller: valid HTTP names and values, and none that the service sets itself. */
export function headerFields({ reserved, badValue, badValueSays }: HeaderRules) {
  return headerRecord().superRefine((given, context) => {
    for (const [name, value] of Object.entries(given)) {
      const problem = !token.test(name)
        ? 'is not a header name'
        : reserved.test(name)
          ? 'is set by the service itself'
          : badValue.test(value)
            ? badValueSays
            : undefined
      if (problem) context.addIssue({ code: 'custom', path: [name], message: `Header "${name}" ${problem}` })
    }
  })
}
