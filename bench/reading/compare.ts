/** Returns words, and single characters of scripts without word separators. */
const tokens = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .match(/[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}ー]|[\p{L}\p{N}]+/gu) ?? []

export function tokenF1(expectedText: string, actualText: string): number {
  const [expected, actual] = [tokens(expectedText), tokens(actualText)]
  const remaining = new Map<string, number>()
  for (const token of expected) remaining.set(token, (remaining.get(token) ?? 0) + 1)
  let shared = 0
  for (const token of actual) {
    const count = remaining.get(token) ?? 0
    if (count === 0) continue
    remaining.set(token, count - 1)
    shared += 1
  }
  return expected.length + actual.length === 0 ? 1 : (2 * shared) / (expected.length + actual.length)
}

/** Returns the same key for URLs of a page or an image that differ in scheme, query string or image size. */
export function toUrlKey(url: string, base: string): string {
  const absoluteUrl = URL.canParse(url, base) ? new URL(url, base).href : url
  return absoluteUrl
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
