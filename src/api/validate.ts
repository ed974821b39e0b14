import type { z } from 'zod'
import { boundNamed } from '../platform/bounds.ts'
import { AppError } from '../platform/errors.ts'

type Issue = z.core.$ZodIssue

/** A list of ten thousand wrong entries is as wrong as its first ones. */
const maxIssues = 50
const maxKeys = 10
const longestKey = 100

/** Parses with the schema; what does not fit becomes one error that says where and why. */
export function validate(
  schema: z.ZodType,
  value: unknown,
  part: 'body' | 'query' | 'path',
  prefix = '',
): unknown {
  const result = schema.safeParse(value)
  if (result.success) return result.data
  const issues = result.error.issues.flatMap((issue) => told(issue, []))
  const beyond = beyondBound(issues, [])
  const first = beyond ? [beyond, ...issues.slice(1)] : issues
  const bound = beyond && boundNamed(beyond.message)
  const details = issues.slice(0, maxIssues).map(shortened)
  throw new AppError('BAD_REQUEST', { ...bound, details }, { message: prefix + messageOf(first, part) })
}

/**
 * Of a choice that was missed, what is wrong with the way that was meant: the one that lets see something inside, or is of the
 * type that was sent. "None of the ways fits" is said only where nothing shows which was meant.
 */
function told(issue: Issue, path: PropertyKey[]): Issue[] {
  const place = [...path, ...issue.path]
  const ways = issue.code === 'invalid_union' ? issue.errors : []
  const inner = ways.map((way) => way.flatMap((one) => told(one, place)))
  const isInside = (one: Issue) =>
    one.code === 'unrecognized_keys' || (one.path.length > place.length && !isOfNoWay(one))
  const entered = inner.findLast((way) => way.some(isInside))
  if (entered) return entered
  // A schema that has words of its own for this says more than any of its ways.
  const isSilent = issue.message === 'Invalid input'
  const typed = isSilent ? inner.find((way) => !way.some(({ code }) => code === 'invalid_type')) : undefined
  return typed ?? [{ ...issue, path: place }]
}

/** The name that distinguishes the ways of a choice is not one of them. */
function isOfNoWay(issue: Issue): boolean {
  return issue.code === 'invalid_union' && issue.errors.length === 0
}

/** The first issue that names a bound, also where it is one of several ways in which a choice was missed. */
function beyondBound(issues: Issue[], path: PropertyKey[]): Issue | undefined {
  for (const issue of issues) {
    const place = [...path, ...issue.path]
    if (boundNamed(issue.message)) return { ...issue, path: place }
    for (const choice of insideOf(issue)) {
      const inside = beyondBound(choice, place)
      if (inside) return inside
    }
  }
  return undefined
}

function insideOf(issue: Issue): Issue[][] {
  if (issue.code === 'invalid_union') return issue.errors
  return issue.code === 'invalid_key' || issue.code === 'invalid_element' ? [issue.issues] : []
}

/** Without what the caller sent itself: it may be as long as the whole body. */
function shortened(issue: Issue): Issue {
  const path = issue.path.map((key) => (typeof key === 'string' ? key.slice(0, longestKey) : key))
  return issue.code === 'unrecognized_keys' ? { ...issue, ...namesOf(issue.keys), path } : { ...issue, path }
}

function namesOf(keys: string[]): { keys: string[]; message: string } {
  const shown = keys
    .slice(0, maxKeys)
    .map((key) => (key.length > longestKey ? `${key.slice(0, longestKey)}…` : key))
  const more = keys.length > maxKeys ? ` and ${keys.length - maxKeys} more` : ''
  return { keys: shown, message: `Unrecognized key: ${shown.map((key) => `"${key}"`).join(', ')}${more}` }
}

function messageOf(issues: Issue[], part: string): string {
  const [first] = issues
  if (!first) return 'Bad Request'
  const more = issues.length > 1 ? ` (and ${issues.length - 1} more, see details)` : ''
  if (first.code === 'unrecognized_keys' && first.path.length === 0) {
    const { message } = namesOf(first.keys)
    return `${message.replace('key:', `key in ${part}:`)}. The options of this endpoint are listed at /docs/reference.${more}`
  }
  const where = first.path.length > 0 ? `${pathText(first.path)}: ` : ''
  // A rule over several options names them itself.
  const isPlain = first.code === 'custom' && first.path.length <= 1 && !boundNamed(first.message)
  return isPlain ? `${first.message}${more}` : `${where}${first.message}${more}`
}

function pathText(path: PropertyKey[]): string {
  return path
    .map((key, index) => {
      const name = String(key).slice(0, longestKey)
      return typeof key === 'number' ? `[${key}]` : index === 0 ? name : `.${name}`
    })
    .join('')
}
