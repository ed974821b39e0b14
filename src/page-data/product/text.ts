import { absoluteUrl } from '../../content/addresses.ts'

export function address(given: unknown, base: string): string | undefined {
  if (typeof given !== 'string' || given.length > 4000) return undefined
  const url = absoluteUrl(given, base)
  return url && /^https?:/.test(url) ? url : undefined
}

/** Whether one of the titles, as `words` gives them, names this product, perhaps among other words. */
export function isNamed(name: string, titles: string[]): boolean {
  const own = words(name)
  if (own.length < 3) return false
  return titles.some((title) => {
    const isPart = ` ${title} `.includes(` ${own} `)
    // A title may be shorter than the full name, but one word of it names nothing.
    return isPart || (title.length >= 8 && title.includes(' ') && ` ${own} `.includes(` ${title} `))
  })
}

/** How a name reads once case and punctuation are left out. */
export function words(text: string): string {
  return text
    .slice(0, 1000)
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()
}
