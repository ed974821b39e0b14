import { select } from '../../../content/select.ts'
import { attributeNamed, type Tree } from '../../../content/tree/tree.ts'
import { definePart } from './part.ts'

interface AttributeRequest {
  selector: string
  attribute: string
}

type AttributeValues =
  | { found: (AttributeRequest & { values: string[] })[] }
  /** Reason why the values are not available. */
  | { reason: string }

/** Part with attribute values by CSS selector, in document order of the full page. */
export const attributes = definePart({
  make: ({ content }, requests: readonly AttributeRequest[]) => attributeValues(content.tree(), requests),
  pack: (values, { json }) => ('found' in values ? { found: json(values.found) } : values),
  cost: 'the selectors of attributes',
})

/** Maximum total length of the values. Many selectors may match the same large attribute. */
const maxCharacters = 20_000_000

function attributeValues(tree: Tree, requests: readonly AttributeRequest[]): AttributeValues {
  const results: (AttributeRequest & { values: string[] })[] = []
  let remainingCharacters = maxCharacters
  for (const { selector, attribute } of requests) {
    const values = valuesOf(tree, selector, attribute)
    if (!values) return { reason: `"${selector}" takes too long on a page of this size.` }
    for (const value of values) remainingCharacters -= value.length
    if (remainingCharacters < 0) return { reason: 'the values are too long to be sent together.' }
    results.push({ selector, attribute, values })
  }
  return { found: results }
}

/** Returns the values; undefined if the search would take too long. */
function valuesOf(tree: Tree, selector: string, attribute: string): string[] | undefined {
  const selection = select(tree, selector)
  if (!selection.ok) return undefined
  // Attribute names in HTML are case-insensitive.
  const name = attribute.toLowerCase()
  return selection.nodes.flatMap((node) => attributeNamed(tree, node, name) ?? [])
}
