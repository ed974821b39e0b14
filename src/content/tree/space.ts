import { tag, tagSet } from './names.ts'

/** What an element belongs to: HTML, a drawing, or a formula. */
export type Space = number

export const html: Space = 0
const svg: Space = 1
const math: Space = 2

/** What an element is that begins in a content. */
export function spaceOf(around: Space, name: number): Space {
  if (around !== html) return around
  return name === tag.svg ? svg : name === tag.math ? math : html
}

const htmlInSvg = tagSet('desc foreignobject title')
const htmlInMath = tagSet('annotation-xml mi mn mo ms mtext')

/** What the content of an element is: some parts of drawings and formulas hold HTML. */
export function contentSpace(space: Space, name: number): Space {
  if (space === svg) return htmlInSvg[name] === 1 ? html : svg
  if (space === math) return htmlInMath[name] === 1 ? html : math
  return html
}
