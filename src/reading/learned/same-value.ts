import { comparable } from '../claims/ground.ts'
import { hashText } from './hash.ts'

/** A value as it is compared: texts without case, marks and white space. */
export function comparableValue(value: unknown): string {
  if (typeof value === 'string') return comparable(value) || value
  if (Array.isArray(value)) return value.map(comparableValue).join('\n')
  return JSON.stringify(value) ?? ''
}

export const hashOfValue = (value: unknown): number => hashText(comparableValue(value))

/** Whether two readers say the same; of two long texts one may be cut, and a title may stand before a name. */
export function isSameValue(one: unknown, other: unknown): boolean {
  const [left, right] = [comparableValue(one), comparableValue(other)]
  if (left === right) return true
  if (typeof one !== 'string' || typeof other !== 'string') return false
  const [short, long] = left.length < right.length ? [left, right] : [right, left]
  return (
    (short.length > longText && long.startsWith(short.slice(0, -cutEnd))) ||
    shared(left, right) >= leastShared
  )
}

const longText = 60
const cutEnd = 10
const leastShared = 0.75

/** How much of their words two texts have in common. */
function shared(left: string, right: string): number {
  const [own, others] = [left.split(' '), right.split(' ')]
  const known = new Set(others)
  return (2 * own.filter((word) => known.has(word)).length) / (own.length + others.length)
}
