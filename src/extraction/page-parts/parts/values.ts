import { withoutFrameLinks } from '../../../content/links.ts'
import type { PageContext } from '../../fields/extracted-value.ts'
import { definePart, type PartSource } from './part.ts'

interface SchemaWish {
  schema: unknown
}

/** What the page says of a schema. */
export const json = definePart({
  async make(source, { schema }: SchemaWish) {
    const { readJson } = await import('../../read-json.ts')
    return readJson(source.content.tree(), schema, contextOf(source))
  },
  pack: (read, { json }) => ({ ...read, value: json(read.value), evidence: json(read.evidence) }),
  cost: 'schema',
})

/** The Markdown by which versions of the page are compared. */
export const tracked = definePart({
  make: ({ content }) => withoutFrameLinks(content.markdown(), content.tree(), content.base()),
  pack: (text, { utf8 }) => utf8(text),
})

/** The values by which they are compared. */
export const trackedValues = definePart({
  async make(source, { schema }: SchemaWish) {
    const { trackedValues } = await import('../tracked-values.ts')
    const { content, redaction } = source
    return trackedValues(content.tree(), schema, { context: contextOf(source), redaction })
  },
  pack: (read, { utf8 }) => ({ ...read, values: utf8(read.values) }),
  cost: 'schema',
})

function contextOf({ content, url }: PartSource): PageContext {
  const { language = '', title = '' } = content.metadata()
  return { url, base: content.base(), language, title }
}
