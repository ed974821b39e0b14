import type { Content } from '../../../content/content.ts'
import type { TextBlock } from '../../../content/text-coverage.ts'
import { selectorWriter } from '../../../content/tree/selector-writer.ts'
import { definePart } from './part.ts'

interface PageBlocks {
  blocks: (Omit<TextBlock, 'holder'> & { selector: string })[]
  /** How many the page has; undefined if it is not HTML. */
  count: number | undefined
}

/** The blocks of a page, with where each stands and what became of it. */
export const blocks = definePart({
  make: ({ content }) => pageBlocks(content),
  pack: ({ blocks, count }, { json }) => ({ blocks: json(blocks), count }),
})

function pageBlocks(content: Content): PageBlocks {
  const found = content.blocks()
  if (!found) return { blocks: [], count: undefined }
  const selectorOf = selectorWriter(content.tree())
  const blocks = found.blocks.map(({ text, holder, ...rest }) => ({
    text,
    selector: selectorOf(holder),
    ...rest,
  }))
  return { blocks, count: found.count }
}
