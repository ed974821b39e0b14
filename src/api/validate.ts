import type { z } from 'zod'
import { findBound } from '../platform/bounds.ts'
import { AppError } from '../platform/errors.ts'

type Issue = z.core.$ZodIssue

const maxIssues = 50
const maxKeys = 10
const maxKeyLength = 100

export function validate(
  schema: z.ZodType,
  value: unknown,
  part: 'body' | 'query' | 'path',
  prefix = '',
): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.flatMap((issue) => flattenIssue(issue, []))
  const boundIssue = findBoundIssue(issues, [])
  const shownIssues = boundIssue ? [boundIssue, ...issues.slice(1)] : issues
  const bound = boundIssue && findBound(boundIssue.message)
  const details = issues.slice(0, maxIssues).map(truncateIssue)
  const message = prefix + formatMessage(shownIssues, part)
  throw new AppError('BAD_REQUEST', { ...bound, details }, { message })
}

/**
 * For a union, the caller most likely meant the variant whose inner fields have issues, or else one of the
 * same type.
 */
function flattenIssue(issue: Issue, path: PropertyKey[]): Issue[] {
  const fullPath = [...path, ...issue.path]
  const variants = issue.code === 'invalid_union' ? issue.errors : []
  const variantIssues = variants.map((variant) => variant.flatMap((inner) => flattenIssue(inner, fullPath)))
  const isUnknownVariant = (inner: Issue) => inner.code === 'invalid_union' && inner.errors.length === 0
  const isInside = (inner: Issue) =>
    inner.code === 'unrecognized_keys' || (inner.path.length > fullPath.length && !isUnknownVariant(inner))
  const deepest = variantIssues.findLast((variant) => variant.some(isInside))
  if (deepest) return deepest
  // A custom message of the union is more helpful than the issues of its variants.
  const hasDefaultMessage = issue.message === 'Invalid input'
  const sameType = hasDefaultMessage
    ? variantIssues.find((variant) => !variant.some(({ code }) => code === 'invalid_type'))
    : undefined
  return sameType ?? [{ ...issue, path: fullPath }]
}

function findBoundIssue(issues: Issue[], path: PropertyKey[]): Issue | undefined {
  for (const issue of issues) {
    const fullPath = [...path, ...issue.path]
    if (findBound(issue.message)) return { ...issue, path: fullPath }
    for (const issueGroup of nestedIssues(issue)) {
      const nested = findBoundIssue(issueGroup, fullPath)
      if (nested) return nested
    }
  }
  return undefined
}

function nestedIssues(issue: Issue): Issue[][] {
  if (issue.code === 'invalid_union') return issue.errors
  return issue.code === 'invalid_key' || issue.code === 'invalid_element' ? [issue.issues] : []
}

/** Truncates names from the caller, because they may be as long as the entire body. */
function truncateIssue(issue: Issue): Issue {
  const path = issue.path.map((key) => (typeof key === 'string' ? key.slice(0, maxKeyLength) : key))
  return issue.code === 'unrecognized_keys'
    ? { ...issue, ...truncateKeys(issue.keys), path }
    : { ...issue, path }
}

function truncateKeys(keys: string[]): { keys: string[]; message: string } {
  const shown = keys
    .slice(0, maxKeys)
    .map((key) => (key.length > maxKeyLength ? `${key.slice(0, maxKeyLength)}…` : key))
  const rest = keys.length > maxKeys ? ` and ${keys.length - maxKeys} more` : ''
  return { keys: shown, message: `Unrecognized key: ${shown.map((key) => `"${key}"`).join(', ')}${rest}` }
}

function formatMessage(issues: Issue[], part: string): string {
  const [first] = issues
  if (!first) return 'Bad Request'
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see details)` : ''
  if (first.code === 'unrecognized_keys' && first.path.length === 0) {
    const { message } = truncateKeys(first.keys)
    return `${message.replace('key:', `key in ${part}:`)}. The options of this endpoint are listed at /docs/reference.${more}`
  }
  const location = first.path.length > 0 ? `${formatPath(first.path)}: ` : ''
  // A rule about several options names them in its message.
  const isPlain = first.code === 'custom' && first.path.length <= 1 && !findBound(first.message)
  return isPlain ? `${first.message}${more}` : `${location}${first.message}${more}`
}

function formatPath(path: PropertyKey[]): string {
  return path
    .map((key, index) => {
      const name = String(key).slice(0, maxKeyLength)
      return typeof key === 'number' ? `[${key}]` : index === 0 ? name : `.${name}`
    })
    .join('')
}
