import { imageSource } from '../../content/image-source.ts'
import { attr, tag } from '../../content/tree/names.ts'
import { attribute, type Node, type Tree, tagOf } from '../../content/tree/tree.ts'
import { words } from '../vocabulary/words.ts'
import type { Line, Lines } from './lines.ts'

/** The heading that the title of the page repeats, else the first of the highest level in the content. */
export function mainHeading({ tree, list }: Lines, title: string): Node | undefined {
  const told = new Set(words(title))
  const headings = list
    .filter(({ level, weight }) => (level === 1 && weight > 0.3) || (level === 2 && weight > 0.9))
    .slice(0, 30)
  let best: Line | undefined
  let most = 0
  for (const heading of headings) {
    const own = words(heading.text)
    const shared = own.filter((word) => told.has(word)).length
    // A logo repeats one word of the title; the heading most of them.
    const share =
      (shared / (own.length || 1)) * (shared / (told.size || 1)) ** 0.5 + (heading.level === 1 ? 0.25 : 0)
    if (share > most) [best, most] = [heading, share]
  }
  return best?.holder ?? firstOf(tree, tag.h1)
}

function firstOf(tree: Tree, name: number): Node | undefined {
  for (let node = 1; node < tree.count; node += 1) if (tree.tags[node] === name) return node
  return undefined
}

const smallest = 200

/** The first picture of some size, near the heading. */
export function mainPicture({ tree, weights }: Lines, heading: Node | undefined): Node | undefined {
  let first: Node | undefined
  for (let node = 1; node < tree.count; node += 1) {
    if (tagOf(tree, node) !== tag.img || (weights[node] ?? 0) < 0.6) continue
    const [width, height] = [attr.width, attr.height].map((name) =>
      Number.parseInt(attribute(tree, node, name) ?? '', 10),
    )
    if ((width ?? 0) < smallest && (height ?? 0) < smallest && !(Number.isNaN(width) && Number.isNaN(height)))
      continue
    const source = imageSource(tree, node) ?? ''
    if (source === '' || /logo|icon|avatar|sprite|pixel|badge|^data:/i.test(source)) continue
    if (heading === undefined || node > heading) return node
    first ??= node
  }
  return first
}
