import { select } from '../../../content/select.ts'
import { attributeNamed, type Tree } from '../../../content/tree/tree.ts'
import { definePart } from './part.ts'

type AttributeRequest = Record<'selector' | 'attribute', string>

type FoundAttribute = AttributeRequest & { values: string[] }

export const attributes = definePart({
  make: ({ content }, requests: readonly AttributeRequest[]) => attributeValues(content.tree(), requests),
  pack: (values, { json }) => ('found' in values ? { found: json(values.found) } : values),
  cost: 'the selectors of attributes',
})

/** Limit for all values together, because many selectors may match the same large attribute. */
const maxCharacters = 20_000_000

function attributeValues(
  tree: Tree,
  requests: readonly AttributeRequest[],
): { found: FoundAttribute[] } | { reason: string } {
  const found: FoundAttribute[] = []
  let remainingCharacters = maxCharacters
  for (const { selector, attribute } of requests) {
    const selection = select(tree, selector)
    if (!selection.ok) return { reason: `"${selector}" takes too long on a page of this size.` }
    // Attribute names in HTML are case-insensitive.
    const name = attribute.toLowerCase()
    const values = selection.nodes.flatMap((node) => attributeNamed(tree, node, name) ?? [])
    for (const value of values) remainingCharacters -= value.length
    if (remainingCharacters < 0) return { reason: 'the values are too long to be sent together.' }
    found.push({ selector, attribute, values })
  }
  return { found }
}
