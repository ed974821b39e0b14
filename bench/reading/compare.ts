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

/** The same page or picture, whatever the scheme, the size or the campaign. */
export function addressKey(address: string, base: string): string {
  const whole = URL.canParse(address, base) ? new URL(address, base).href : address
  return whole
    .replace(/^https?:\/\/(www\.)?/, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
    .replace(/-\d+x\d+(?=\.\w+$)/, '')
}

export function isFilled(value: unknown): boolean {
  if (value === undefined || value === null) return false
  if (typeof value === 'string') return value.trim() !== ''
  if (Array.isArray(value)) return value.some(isFilled)
  return typeof value !== 'object' || Object.values(value).some(isFilled)
}
