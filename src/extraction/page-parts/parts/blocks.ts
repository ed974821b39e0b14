import type { Content } from '../../../content/content.ts'
import type { TextBlock } from '../../../content/text-coverage.ts'
import { createSelectorWriter } from '../../../content/tree/selector-writer.ts'
import { definePart } from './part.ts'

export const blocks = definePart({
  make: ({ content }) => pageBlocks(content),
  pack: ({ blocks, count }, { json }) => ({ blocks: json(blocks), count }),
})

type PageBlock = Omit<TextBlock, 'holder'> & { selector: string }

function pageBlocks(content: Content): { blocks: PageBlock[]; count: number | undefined } {
  const result = content.blocks()
  if (!result) return { blocks: [], count: undefined }
  const selectorOf = createSelectorWriter(content.tree())
  const blocks = result.blocks.map(({ text, holder, ...rest }) => ({
    ...{ text, selector: selectorOf(holder), ...rest },
  }))
  return { blocks, count: result.count }
}
