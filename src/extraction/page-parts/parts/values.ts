import { withoutFrameLinks } from '../../../content/links.ts'
import type { PageContext } from '../../fields/extracted-value.ts'
import { definePart, type PartSource } from './part.ts'

interface SchemaRequest {
  schema: unknown
}

export const json = definePart({
  async make(source, { schema }: SchemaRequest) {
    const { readJson } = await import('../../read-json.ts')
    return readJson(source.content.tree(), schema, toPageContext(source))
  },
  pack: (result, { json }) => ({ ...result, value: json(result.value), evidence: json(result.evidence) }),
  cost: 'schema',
})

/** Markdown for comparing versions of the page. */
export const tracked = definePart({
  make: ({ content }) => withoutFrameLinks(content.markdown(), content.tree(), content.base()),
  pack: (text, { utf8 }) => utf8(text),
})

export const trackedValues = definePart({
  async make(source, { schema }: SchemaRequest) {
    const { trackedValues } = await import('../tracked-values.ts')
    const { content, redaction } = source
    return trackedValues(content.tree(), schema, { context: toPageContext(source), redaction })
  },
  pack: (result, { utf8 }) => ({ ...result, values: utf8(result.values) }),
  cost: 'schema',
})

function toPageContext({ content, url }: PartSource): PageContext {
  const { language = '', title = '' } = content.metadata()
  return { url, base: content.base(), language, title }
}
