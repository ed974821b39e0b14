import type { Tree } from '../../content/tree/tree.ts'
import type { PageContext } from '../fields/extracted-value.ts'
import { type ReadJson, readJson } from '../read-json.ts'
import { type Redaction, redact } from '../redaction/redact.ts'
import { fieldPaths, fieldValues } from '../schema/field-spec.ts'

/** The values by which versions of a page are compared. */
export interface TrackedValues
  extends Pick<ReadJson, 'missing' | 'ignored' | 'spec' | 'text' | 'orders' | 'context'> {
  /** The paths of all fields of the schema. */
  fields: string[]
  /** How many of them were found. */
  count: number
  /** What was found, by path, as JSON. */
  values: string
}

export function trackedValues(
  tree: Tree,
  schema: unknown,
  { context, redaction }: { context: PageContext; redaction: Redaction | undefined },
): TrackedValues {
  const { value, missing, ignored, spec, text, orders } = readJson(tree, schema, context)
  const found = fieldValues(spec, value)
  const kept = redaction ? found.map(([path, one]) => [path, redacted(one, redaction)]) : found
  return {
    ...{ missing, ignored, spec, context, orders, count: found.length },
    // What a language model is shown, and quotes from.
    text: redaction ? redact(text, redaction).text : text,
    fields: fieldPaths(spec),
    values: JSON.stringify(Object.fromEntries(kept)),
  }
}

/** Versions of redacted pages are kept, so nothing in them may say what was redacted. */
function redacted<Value>(value: Value, redaction: Redaction): Value {
  // Each branch gives a value of the kind that it was given, except numbers, which JSON holds as well as their text.
  const same = (changed: unknown) => changed as Value
  if (typeof value === 'string') return same(redact(value, redaction).text)
  if (typeof value === 'number') {
    const { text, replaced } = redact(String(value), redaction)
    return replaced.length === 0 ? value : same(text)
  }
  if (Array.isArray(value)) return same(value.map((entry) => redacted(entry, redaction)))
  if (typeof value !== 'object' || value === null) return value
  return same(
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redacted(inner, redaction)])),
  )
}
