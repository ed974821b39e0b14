import type { z } from 'zod'
import { AppError } from '../base/errors.ts'

type Issue = z.core.$ZodIssue

/** Parses with the schema; what does not fit becomes one error that says where and why. */
export function validate(schema: z.ZodType, value: unknown, part: 'body' | 'query' | 'path'): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues
  throw new AppError('BAD_REQUEST', { details: issues }, { message: messageOf(issues, part) })
}

function messageOf(issues: Issue[], part: string): string {
  const [first] = issues
  if (!first) return 'Bad Request'
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see details)` : ''
  if (first.code === 'unrecognized_keys' && first.path.length === 0) {
    const keys = first.keys.map((key) => `"${key}"`).join(', ')
    return `Unrecognized key in ${part}: ${keys}. The options of this endpoint are listed at /docs.${more}`
  }
  const where = first.path.length > 0 ? `${pathText(first.path)}: ` : ''
  return first.code === 'custom' ? `${first.message}${more}` : `Bad Request: ${where}${first.message}${more}`
}

function pathText(path: PropertyKey[]): string {
  return path
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : index === 0 ? String(key) : `.${String(key)}`,
    )
    .join('')
}
