import { attr, tag, tagSet } from '../../content/tree/names.ts'
import { attribute, isText, parentOf, tagName, tagOf } from '../../content/tree/tree.ts'
import type { Lines } from '../fields/lines.ts'
import { hashText } from './hash.ts'
import type { Template } from './memory.ts'

/** The smallest hashes stand for all: of two pages alike they are mostly the same. */
const sketchSize = 200
/** What a template keeps, with parts that only some of its pages have. */
const templateSize = 400
/** The frame of a site is the same on pages of all templates. */
const leastWeight = 0.5
const mostClasses = 4
/** Pages that are as similar as this are of one template. */
export const leastSimilarity = 0.6
/** The sketch of a template is settled after this many pages. */
const mostPages = 20

/** How a page is built: hashes of its tags in their surroundings and of the classes there. */
export function sketchOf({ tree, weights }: Lines): number[] {
  const found = new Set<number>()
  const known = new Map<string, number>()
  for (let node = 1; node < tree.count; node += 1) {
    if (isText(tree, node) || unseen[tagOf(tree, node)] === 1 || (weights[node] ?? 0) < leastWeight) continue
    const parent = parentOf(tree, node)
    if (tagOf(tree, parent) === tag.head) continue
    const around = parent > 0 ? `${tagName(tree, parentOf(tree, parent))}>${tagName(tree, parent)}` : ''
    for (const name of classesOf(attribute(tree, node, attr.class))) {
      const shape = `${around}>${tagName(tree, node)}.${name}`
      const hash = known.get(shape) ?? hashText(shape)
      known.set(shape, hash)
      found.add(hash)
    }
  }
  return [...found].sort((one, other) => one - other).slice(0, sketchSize)
}

const unseen = tagSet('script style link meta head title noscript template br svg')

/** Numbers in classes name the page, or a step of a scale. */
function classesOf(written = ''): string[] {
  const names = written
    .slice(0, 300)
    .split(/\s+/)
    .filter((name) => name !== '' && name.length <= 60)
  return names.length === 0 ? [''] : names.slice(0, mostClasses).map((name) => name.replace(/\d+/g, '0'))
}

/** From 0 to 1: the parts that both have, each by the share of the template's pages that have it. */
export function similarity(sketch: readonly number[], { sketch: known, pages }: Template): number {
  const own = new Set(sketch)
  // Beyond the last hash of a full sketch it is not known what the page has.
  const limit = sketch.length < sketchSize ? Infinity : (sketch.at(-1) ?? Infinity)
  let [both, all] = [0, 0]
  for (const [hash, count] of known) {
    if (hash > limit) continue
    const share = count / Math.max(pages, 1)
    if (own.delete(hash)) {
      both += share
      all += 1
    } else all += share
  }
  all += own.size
  return all === 0 ? 0 : both / all
}

export function templateOf(templates: readonly Template[], sketch: readonly number[]): Template | undefined {
  let best: Template | undefined
  let most = leastSimilarity
  for (const template of templates) {
    const found = similarity(sketch, template)
    if (found < most) continue
    best = template
    most = found
  }
  return best
}

/** A template with one page more. */
export function withSketch(template: Template, sketch: readonly number[]): Template {
  if (template.pages >= mostPages) return template
  const counts = new Map(template.sketch)
  for (const hash of sketch) counts.set(hash, (counts.get(hash) ?? 0) + 1)
  const kept = [...counts].sort(([one], [other]) => one - other).slice(0, templateSize)
  return { ...template, sketch: kept, pages: template.pages + 1 }
}
