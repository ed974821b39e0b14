import type { z } from 'zod'
import { type Column, unreadable } from './unreadable.ts'

/** A column that holds JSON: how it is written, and how it is read again. */
export interface StoredJson<Value> {
  read(text: string): Value
  write(value: Value): string
}

/** What is read fits the schema, or the error names table and column. */
export function storedJson<Schema extends z.ZodType>(
  place: Column,
  schema: Schema,
): StoredJson<z.output<Schema>> {
  return {
    read(text) {
      const { success, data, error } = schema.safeParse(parsed(place, text))
      if (success) return data
      const issues = error.issues.slice(0, 5).map(({ path, message }) => `${path.join('.')}: ${message}`)
      throw unreadable(place, issues.join('; '))
    },
    write: (value) => JSON.stringify(value),
  }
}

function parsed(place: Column, text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    // What the parser says would quote the text.
    throw unreadable(place, `${text.length} characters that are not JSON`)
  }
}
