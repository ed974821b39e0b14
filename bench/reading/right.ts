import type { Schema } from './sites/schema.ts'
import { Either, type ExpectedValue } from './sites/template.ts'

/** How a value is compared. */
export type Kind = 'text' | 'number' | 'date' | 'url' | 'boolean' | 'enum' | 'list'

export function kindOf({ type, format, enum: names }: Schema): Kind {
  if (type === 'array') return 'list'
  if (type === 'number' || type === 'integer') return 'number'
  if (type === 'boolean') return 'boolean'
  if (names) return 'enum'
  if (format === 'date' || format === 'date-time') return 'date'
  return format === 'uri' ? 'url' : 'text'
}

/** Whether an answer says what was expected; `base` is the address of the page. */
export function isRight(want: ExpectedValue, got: unknown, asked: Schema, base: string): boolean {
  if (want instanceof Either) return want.values.some((one) => isRight(one, got, asked, base))
  switch (kindOf(asked)) {
    case 'list':
      return (
        Array.isArray(want) && Array.isArray(got) && listF1(want, got, asked.items ?? asked, base) >= 0.75
      )
    case 'number':
      return typeof want === 'number' && typeof got === 'number' && Math.abs(want - got) < 1e-9
    case 'date':
      return isSameDay(String(want), got)
    case 'url':
      return typeof got === 'string' && addressKey(String(want), base) === addressKey(got, base)
    case 'boolean':
    case 'enum':
      return want === got
    case 'text':
      return typeof got === 'string' && (tokenF1(String(want), got) >= 0.75 || isSamePhone(String(want), got))
  }
}

function listF1(want: ExpectedValue[], got: unknown[], asked: Schema, base: string): number {
  const left = [...got]
  let matched = 0
  for (const one of want) {
    const at = left.findIndex((other) => isRight(one, other, asked, base))
    if (at < 0) continue
    left.splice(at, 1)
    matched += 1
  }
  return (2 * matched) / (want.length + got.length)
}

/** Words, and single signs of a script that does not part its words. */
const tokens = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[\p{L}\p{N}]+/gu) ?? []

export function tokenF1(want: string, got: string): number {
  const [wanted, given] = [tokens(want), tokens(got)]
  const left = new Map<string, number>()
  for (const token of wanted) left.set(token, (left.get(token) ?? 0) + 1)
  let shared = 0
  for (const token of given) {
    const count = left.get(token) ?? 0
    if (count === 0) continue
    left.set(token, count - 1)
    shared += 1
  }
  return wanted.length + given.length === 0 ? 1 : (2 * shared) / (wanted.length + given.length)
}

function isSameDay(want: string, got: unknown): boolean {
  return typeof got === 'string' && /^\d{4}-\d{2}-\d{2}/.test(got) && got.slice(0, 10) === want.slice(0, 10)
}

/** The same page or picture, whatever the scheme, the size or the campaign. */
export function addressKey(address: string, base: string): string {
  const whole = URL.canParse(address, base) ? new URL(address, base).href : address
  return whole
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
    .replace(/-\d+x\d+(?=\.\w+$)/, '')
}

/** A number to call may be written with and without signs and country. */
function isSamePhone(want: string, got: string): boolean {
  const [wanted, given] = [want, got].map((text) => text.replace(/\D/g, ''))
  const isPhone = /^[\d\s()+/.-]{8,}$/.test(want) && /^[\d\s()+/.-]{8,}$/.test(got)
  return isPhone && wanted !== undefined && wanted.slice(-8) === given?.slice(-8)
}
