/** The page while it is read. */
export interface Source {
  html: string
  /** Where what is being read ends: the page, or a part of it that ends at its own end tag whatever it holds. */
  end: number
  /** Elements of raw text whose end tag does not come any more. */
  unended: Set<number>
  /** Where a comment ends next, as far as that is known. */
  commentEnd: number
}

/**
 * Where a sign stands next, or -1. A part is searched as a text of its own, so that a sign it does not hold is not looked
 * for in all the rest of the page; such a text is a view and costs nothing.
 */
export function search({ html, end }: Source, sign: string, from: number): number {
  if (end === html.length) return html.indexOf(sign, from)
  const found = html.slice(from, end).indexOf(sign)
  return found === -1 ? -1 : from + found
}

const slash = 47
const greater = 62

export const isLetter = (code: number) => (code | 32) >= 97 && (code | 32) <= 122

export const isSpace = (code: number) => code === 32 || (code >= 9 && code <= 13 && code !== 11)

/** Whether the name of a tag cannot go on with this character. */
export const endsName = (code: number) => code === greater || code === slash || isSpace(code)
