/**
 * Returns a query parameter with U+FFFD in place of U+0000. PostgreSQL rejects U+0000 in text, and SQLite accepts it, so both
 * adapters replace it: a request has the same result on either store. JSON columns are not affected, because JSON escapes it.
 */
export function toStorableText<Value>(value: Value): Value {
  if (typeof value === 'string')
    return (value.includes('\0') ? value.replaceAll('\0', '\ufffd') : value) as Value
  // Arrays are parameters of the type text[]. Bytes are not arrays and may contain any value.
  if (Array.isArray(value)) return value.map(toStorableText) as Value
  return value
}
