import type { Tree } from '../../content/tree/tree.ts'
import type { PageContext } from '../fields/extracted-value.ts'
import { readJson } from '../read-json.ts'
import { type Redaction, redact } from '../redaction/redact.ts'
import { fieldPaths, fieldValues } from '../schema/field-spec.ts'

export function trackedValues(
  tree: Tree,
  schema: unknown,
  { context, redaction }: { context: PageContext; redaction: Redaction | undefined },
) {
  const { value, missing, ignored, spec, text, injectionCount } = readJson(tree, schema, context)
  const found = fieldValues(spec, value)
  const storedValues = redaction
    ? found.map(([path, fieldValue]) => [path, redactValue(fieldValue, redaction)])
    : found
  return {
    ...{ missing, ignored, spec, context, injectionCount, count: found.length },
    // Text for a language model, which also quotes from it.
    text: redaction ? redact(text, redaction).text : text,
    fields: fieldPaths(spec),
    values: JSON.stringify(Object.fromEntries(storedValues)),
  }
}

/** Values are redacted as well, because the versions of a page are stored. */
function redactValue<Value>(value: Value, redaction: Redaction): Value {
  // Each branch keeps the type of its input, but a redacted number becomes a string: JSON allows both.
  const asValue = (changed: unknown) => changed as Value
  if (typeof value === 'string') return asValue(redact(value, redaction).text)
  if (typeof value === 'number') {
    const { text, replaced } = redact(String(value), redaction)
    return replaced.length === 0 ? value : asValue(text)
  }
  if (Array.isArray(value)) return asValue(value.map((entry) => redactValue(entry, redaction)))
  if (typeof value !== 'object' || value === null) return value
  return asValue(
    Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, redactValue(inner, redaction)])),
  )
}
