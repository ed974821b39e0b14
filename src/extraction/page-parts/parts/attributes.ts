import { select } from '../../../content/select.ts'
import { attributeNamed, type Tree } from '../../../content/tree/tree.ts'
import { definePart } from './part.ts'

interface AttributeRequest {
  selector: string
  attribute: string
}

type AttributeValues =
  | { found: (AttributeRequest & { values: string[] })[] }
  /** Why there are none. */
  | { reason: string }

/** Values of attributes, by CSS selector, in the order of the whole page. */
export const attributes = definePart({
  make: ({ content }, wishes: readonly AttributeRequest[]) => attributeValues(content.tree(), wishes),
  pack: (values, { json }) => ('found' in values ? { found: json(values.found) } : values),
  cost: 'the selectors of attributes',
})

/** Many selectors may match the same large attribute; this limits the result to the size of a few pages. */
const maxCharacters = 20_000_000

function attributeValues(tree: Tree, wishes: readonly AttributeRequest[]): AttributeValues {
  const found: (AttributeRequest & { values: string[] })[] = []
  let room = maxCharacters
  for (const { selector, attribute } of wishes) {
    const values = valuesOf(tree, selector, attribute)
    if (!values) return { reason: `"${selector}" takes too long on a page of this size.` }
    for (const value of values) room -= value.length
    if (room < 0) return { reason: 'the values are too long to be sent together.' }
    found.push({ selector, attribute, values })
  }
  return { found }
}

/** Undefined if the search would take too long. */
function valuesOf(tree: Tree, selector: string, attribute: string): string[] | undefined {
  const found = select(tree, selector)
  if (!found.ok) return undefined
  // Names in HTML have no case.
  const name = attribute.toLowerCase()
  return found.nodes.flatMap((node) => attributeNamed(tree, node, name) ?? [])
}
