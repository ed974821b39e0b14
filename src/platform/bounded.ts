import { z } from 'zod'
import { type BoundName, bounds, formatBoundError } from './bounds.ts'

export function boundedText(name: BoundName) {
  return z.string().max(...maximum(name))
}

export function boundedInteger(name: BoundName, min: number) {
  return z
    .int()
    .min(min)
    .max(...maximum(name))
}

export function boundedIntegerInQuery(name: BoundName, min: number) {
  return z.coerce
    .number()
    .int()
    .min(min)
    .max(...maximum(name))
}

export function boundedList<Entry extends z.ZodType>(entry: Entry, name: BoundName) {
  return z.array(entry).max(...maximum(name))
}

function maximum(name: BoundName) {
  return [bounds[name].most, { error: formatBoundError(name), abort: true }] as const
}

export function anyJson(name: BoundName) {
  return z.unknown().superRefine(boundedJson(name)).meta({ 'x-max-bytes': bounds[name].most })
}

export function anyObject(name: BoundName) {
  return z
    .record(z.string(), z.unknown())
    .superRefine(boundedJson(name))
    .meta({ 'x-max-bytes': bounds[name].most })
}

/** Depth and length of a body are checked before it is parsed, so it is safe to serialise the value again. */
export function boundedJson(name: BoundName) {
  return (value: unknown, context: z.RefinementCtx): void => {
    const size = value === undefined ? 0 : Buffer.byteLength(JSON.stringify(value))
    if (size > bounds[name].most) addBoundIssue(name, context)
  }
}

export function addBoundIssue(name: BoundName, context: z.RefinementCtx): void {
  context.addIssue({ code: 'custom', message: formatBoundError(name), continue: false })
}

const headerName = /^[!#$%&'*+.^_`|~0-9a-z-]+$/i

export function headerFields(rules: { reserved: RegExp; badValue: RegExp; badValueMessage: string }) {
  const { reserved, badValue, badValueMessage } = rules
  return z
    .record(boundedText('MAX_HEADER_NAME_LENGTH'), boundedText('MAX_HEADER_LENGTH'))
    .superRefine((headers, context) => {
      const entries = Object.entries(headers)
      const bytes = entries.reduce((sum, [name, value]) => sum + name.length + Buffer.byteLength(value), 0)
      if (entries.length > bounds.MAX_HEADERS.most) addBoundIssue('MAX_HEADERS', context)
      else if (bytes > bounds.MAX_HEADERS_BYTES.most) addBoundIssue('MAX_HEADERS_BYTES', context)
    })
    .meta({ maxProperties: bounds.MAX_HEADERS.most })
    .superRefine((headers, context) => {
      for (const [name, value] of Object.entries(headers)) {
        const problem = !headerName.test(name)
          ? 'is not a header name'
          : reserved.test(name)
            ? 'is set by the service itself'
            : badValue.test(value)
              ? badValueMessage
              : undefined
        if (problem)
          context.addIssue({ code: 'custom', path: [name], message: `Header "${name}" ${problem}` })
      }
    })
}
