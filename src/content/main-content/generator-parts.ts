import { attr, tag } from '../tree/names.ts'
import { attribute, type Node, root, type Tree, tagName } from '../tree/tree.ts'
import names from './generators.json' with { type: 'json' }
import { type Evidence, sumIn } from './page-analysis.ts'

export type Generator = ReturnType<typeof createGenerator>
export interface GeneratorNames {
  mark: string
  /** Parts for navigation, promotion or decoration. One without a name is given by its parent and tag: `codebox>p`. */
  boilerplate?: string
  content?: string
  /** Parts that its style sheets show only inside an element with another name, as `part:ancestor`. */
  shownIn?: string
  hiddenIn?: string
  isReference?: boolean
}

const splitNames = (list = '') => list.split(/\s+/).filter(Boolean)
const splitPairs = (list?: string) =>
  new Map(splitNames(list).map((pair) => pair.split(':') as [string, string]))

const generators = new Map(names.map((given: GeneratorNames) => [given.mark, createGenerator(given)]))

function createGenerator(given: GeneratorNames) {
  const [shownIn, hiddenIn] = [splitPairs(given.shownIn), splitPairs(given.hiddenIn)]
  const parents = splitNames(given.boilerplate).flatMap((name) => name.split('>').slice(0, -1))
  return {
    isReference: given.isReference ?? false,
    boilerplate: new Set(splitNames(given.boilerplate)),
    content: new Set(splitNames(given.content)),
    shownIn,
    hiddenIn,
    decidingNames: new Set([...shownIn.values(), ...hiddenIn.values(), ...parents]),
  }
}

const maxCheckedNodes = 600

export function findGenerators(tree: Tree): Generator[] {
  const pageGenerators = new Set<Generator>()
  const body = Math.max(1, tree.tags.indexOf(tag.body))
  const end = Math.min(tree.count, body + maxCheckedNodes)
  for (let node: Node = body; node < end; node += 1) {
    if (tree.tags[node] === 0) continue
    for (const name of [attr.id, attr.class]) {
      const generator = generators.get(markerPattern.exec(attribute(tree, node, name) ?? '')?.[1] ?? '')
      if (generator) pageGenerators.add(generator)
    }
  }
  return [...pageGenerators]
}

const markerPattern = new RegExp(`(?:^|\\s)(${[...generators.keys()].join('|')})(?:\\s|$)`)

function getNames(tree: Tree, node: Node): string[] {
  const id = attribute(tree, node, attr.id)
  const classNames = attribute(tree, node, attr.class)?.split(/\s+/) ?? []
  return id === undefined ? classNames : [id, ...classNames]
}

/** A part that is most of the page is its main content, whatever its name is. */
const maxPageShare = 0.5

/** Omitted parts that are separate blocks, those that are part of a line, and kept parts. */
type GeneratorParts = Record<'parts' | 'inLines' | 'kept', Node[]>

export const noParts: GeneratorParts = { parts: [], inLines: [], kept: [] }

export function findGeneratorParts(
  { tree, blocks, page }: Evidence,
  pageGenerators: Generator[],
): GeneratorParts {
  if (pageGenerators.length === 0) return noParts
  const result: GeneratorParts = { parts: [], inLines: [], kept: [] }
  const decidingNamesByNode = new Map<Node, ReadonlySet<string>>()
  for (let node: Node = 1; node < tree.count; node += 1) {
    if (tree.tags[node] === 0) continue
    const names = getNames(tree, node)
    const deciding = new Set(
      names.filter((name) => pageGenerators.some(({ decidingNames }) => decidingNames.has(name))),
    )
    if (deciding.size > 0) decidingNamesByNode.set(node, deciding)
    if (pageGenerators.some(({ content }) => names.some((name) => content.has(name)))) result.kept.push(node)
    const part = { tree, node, ownNames: names, namesByAncestor: decidingNamesByNode }
    if (!pageGenerators.some((generator) => isOmitted(part, generator))) continue
    const end = tree.ends[node] ?? tree.count
    if (sumIn(tree, blocks, blocks.wordsBefore, node) > page.words * maxPageShare) continue
    const first = blocks.before[node] ?? 0
    const last = (blocks.before[end] ?? 0) - 1
    const isInline = last < first || (blocks.lasts[last] ?? 0) > end
    result[isInline ? 'inLines' : 'parts'].push(node)
    node = end - 1
  }
  return result
}

interface Part {
  tree: Tree
  node: Node
  ownNames: string[]
  namesByAncestor: ReadonlyMap<Node, ReadonlySet<string>>
}

function isOmitted(part: Part, { boilerplate, shownIn, hiddenIn }: Generator): boolean {
  const { tree, node, ownNames, namesByAncestor } = part
  if (ownNames.length === 0) {
    const parents = [...(namesByAncestor.get(tree.parents[node] ?? root) ?? [])]
    return parents.some((name) => boilerplate.has(`${name}>${tagName(tree, node)}`))
  }
  return ownNames.some((name) => {
    const [requiredAncestor, hidingAncestor] = [shownIn.get(name), hiddenIn.get(name)]
    if (boilerplate.has(name) || (requiredAncestor && !isInside(part, requiredAncestor))) return true
    return hidingAncestor !== undefined && isInside(part, hidingAncestor)
  })
}

const maxLevels = 4

function isInside({ tree, node, namesByAncestor }: Part, name: string): boolean {
  let at = tree.parents[node] ?? root
  for (let level = 0; level < maxLevels && at > root; level += 1) {
    if (namesByAncestor.get(at)?.has(name)) return true
    at = tree.parents[at] ?? root
  }
  return false
}
