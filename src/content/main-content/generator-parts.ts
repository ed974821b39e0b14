import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, root, type Tree, tagName } from '../tree/tree.ts'
import names from './generators.json' with { type: 'json' }
import { type Evidence, sumIn } from './page-analysis.ts'

/** A program that makes pages, and what it calls their parts: classes and ids. */
export interface Generator {
  /** It shows documentation and does not say so in the head of its pages. */
  isReference: boolean
  /** Parts that lead about the site, sell or decorate, and are never what a page is about. */
  furniture: ReadonlySet<string>
  /** Parts that belong to what the page is about, however little they say. */
  content: ReadonlySet<string>
  shownIn: ReadonlyMap<string, string>
  hiddenIn: ReadonlyMap<string, string>
  /** Names of elements that decide on parts in them. */
  decide: ReadonlySet<string>
}

export interface GeneratorNames {
  /** A name that stands near the beginning of all its pages. */
  mark: string
  /** A part without a name is meant by that of its parent and its own tag: `codebox>p`. */
  furniture?: string
  content?: string
  /** Parts that its style sheets show only inside of something of another name, as `part:around`. */
  shownIn?: string
  /** Parts that its style sheets hide there. */
  hiddenIn?: string
  isReference?: boolean
}

const namesIn = (list = '') => list.split(/\s+/).filter(Boolean)
const pairsIn = (list?: string) => new Map(namesIn(list).map((pair) => pair.split(':') as [string, string]))

const generators = new Map(names.map((own: GeneratorNames) => [own.mark, generatorOf(own)]))

function generatorOf({
  furniture,
  content,
  shownIn,
  hiddenIn,
  isReference = false,
}: GeneratorNames): Generator {
  const [needed, harmful] = [pairsIn(shownIn), pairsIn(hiddenIn)]
  const parents = namesIn(furniture).flatMap((name) => name.split('>').slice(0, -1))
  return {
    isReference,
    furniture: new Set(namesIn(furniture)),
    content: new Set(namesIn(content)),
    shownIn: needed,
    hiddenIn: harmful,
    decide: new Set([...needed.values(), ...harmful.values(), ...parents]),
  }
}

const maxChecked = 600

/** The generators that the first elements of a body are named by. */
export function findGenerators(tree: Tree): Generator[] {
  const found = new Set<Generator>()
  const body = Math.max(1, tree.tags.indexOf(tag.body))
  const end = Math.min(tree.count, body + maxChecked)
  for (let node: Node = body; node < end; node += 1) {
    if (tree.tags[node] === 0) continue
    for (const name of [attr.id, attr.class]) {
      const known = generators.get(marks.exec(attribute(tree, node, name) ?? '')?.[1] ?? '')
      if (known) found.add(known)
    }
  }
  return [...found]
}

const marks = new RegExp(`(?:^|\\s)(${[...generators.keys()].join('|')})(?:\\s|$)`)

function namesOf(tree: Tree, node: Node): string[] {
  const id = attribute(tree, node, attr.id)
  const classes = attribute(tree, node, attr.class)
  const found = classes === undefined ? [] : classes.split(/\s+/)
  return id === undefined ? found : [id, ...found]
}

/** A part that is most of the page is what the page is for, whatever it is called. */
const mostOfPage = 0.5

interface GeneratorParts {
  /** What is left out: parts with lines of their own, and parts of a line. */
  parts: Node[]
  inLines: Node[]
  kept: Node[]
}

export const noParts: GeneratorParts = { parts: [], inLines: [], kept: [] }

export function generatorParts({ tree, blocks, page }: Evidence, known: Generator[]): GeneratorParts {
  if (known.length === 0) return noParts
  const found: GeneratorParts = { parts: [], inLines: [], kept: [] }
  const around = new Map<Node, ReadonlySet<string>>()
  for (let node: Node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0) continue
    const own = namesOf(tree, node)
    const deciding = new Set(own.filter((name) => known.some(({ decide }) => decide.has(name))))
    if (deciding.size > 0) around.set(node, deciding)
    if (known.some(({ content }) => own.some((name) => content.has(name)))) found.kept.push(node)
    if (!known.some((generator) => isLeftOut({ tree, node, own, around }, generator))) continue
    const end = tree.ends[node] ?? tree.count
    if (sumIn(tree, blocks, blocks.wordsBefore, node) > page.words * mostOfPage) continue
    const first = blocks.before[node] ?? 0
    const last = (blocks.before[end] ?? 0) - 1
    const isOfLine = last < first || (blocks.lasts[last] ?? 0) > end
    if (isOfLine) found.inLines.push(node)
    else found.parts.push(node)
    node = end - 1
  }
  return found
}

interface Part {
  tree: Tree
  node: Node
  own: string[]
  /** By element, which of its names decide on parts in it: read once, however many parts there are. */
  around: ReadonlyMap<Node, ReadonlySet<string>>
}

function isLeftOut(part: Part, { furniture, shownIn, hiddenIn }: Generator): boolean {
  const { tree, node, own, around } = part
  if (own.length === 0) {
    const parents = [...(around.get(tree.parents[node] ?? root) ?? [])]
    return parents.some((name) => furniture.has(`${name}>${tagName(tree, node)}`))
  }
  return own.some((name) => {
    const [needed, harmful] = [shownIn.get(name), hiddenIn.get(name)]
    return (
      furniture.has(name) ||
      (needed !== undefined && !isIn(part, needed)) ||
      (harmful !== undefined && isIn(part, harmful))
    )
  })
}

/** How far around a part what decides whether it is shown may stand. */
const maxLevels = 4

function isIn({ tree, node, around }: Part, name: string): boolean {
  let at = tree.parents[node] ?? root
  for (let level = 0; level < maxLevels && at > root; level += 1) {
    if (around.get(at)?.has(name)) return true
    at = tree.parents[at] ?? root
  }
  return false
}
