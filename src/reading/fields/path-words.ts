/** How addresses shorten what they lead to. */
const shortPaths: Record<string, string> = { u: 'user', '~': 'user', '@': 'user' }

/** The parts of a path, in words. */
export function pathWords(href: string): string[] {
  const path = href
    .slice(0, 300)
    .replace(/^https?:\/\/[^/]*/i, '')
    .replace(/[?#].*$/, '')
    .replace(/\/$/, '')
  const parts = path.split('/').filter(Boolean)
  const sign = /^[~@](?=\w)/.exec(parts.at(-1) ?? '')?.[0]
  return [...parts, ...(sign ? [sign] : [])]
    .filter((part) => !/\d/.test(part) && part.length <= 30)
    .map((part) => shortPaths[part] ?? part)
}
