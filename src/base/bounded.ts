import { z } from 'zod'
import { type BoundName, bounds, exceeds } from './bounds.ts'

/** Schemas that end at a bound of the table. What is beyond it is refused before anything else looks at it. */

export function text(name: BoundName) {
  return z.string().max(bounds[name].most, { error: exceeds(name), abort: true })
}

export function list<Entry extends z.ZodType>(entry: Entry, name: BoundName) {
  return z.array(entry).max(bounds[name].most, { error: exceeds(name), abort: true })
}

/** Headers by name, each of them and all together within their bounds. */
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

/** Anything at all, as long as it is short when it is written as JSON. */
export function anyJson(name: BoundName) {
  return z.unknown().superRefine(within(name)).meta({ 'x-max-bytes': bounds[name].most })
}

export function anyObject(name: BoundName) {
  return z
    .record(z.string(), z.unknown())
    .superRefine(within(name))
    .meta({ 'x-max-bytes': bounds[name].most })
}

/** How deep and how long a body is was bounded before it was parsed, so that it can be written again. */
export function within(name: BoundName) {
  return (given: unknown, context: z.RefinementCtx): void => {
    const size = given === undefined ? 0 : Buffer.byteLength(JSON.stringify(given))
    if (size > bounds[name].most) beyond(name, context)
  }
}

/** Refuses for a bound that a schema has no word for. */
export function beyond(name: BoundName, context: z.RefinementCtx): void {
  context.addIssue({ code: 'custom', message: exceeds(name), continue: false })
}
