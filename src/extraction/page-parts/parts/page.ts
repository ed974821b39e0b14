import { withoutFrameLinks } from '../../../content/links.ts'
import * as site from '../../../content/site/site-links.ts'
import type { PageContext } from '../../fields/extracted-value.ts'
import { audioCandidates } from '../media.ts'
import { linksToFollow } from '../page-links.ts'
import { type ProductResult, productOf } from '../product.ts'
import { definePart, type Pack, type PartSource } from './part.ts'

const asJson = <Value>(value: Value, { json }: Pack) => json(value)

export const metadata = definePart({ make: ({ content }) => content.metadata() })

export const markdown = definePart({ make: ({ content }) => content.markdown(), pack: asJson })

export const html = definePart({ make: ({ content }) => content.html(), pack: asJson })

export const rawHtml = definePart({ make: ({ content }) => content.rawHtml(), pack: asJson })

export const links = definePart({ make: ({ content }) => content.links(), pack: asJson })

export const images = definePart({ make: ({ content }) => content.images(), pack: asJson })

export const product = definePart({
  make: ({ content, url }): ProductResult => productOf(content.tree(), { url, base: content.base() }),
  pack: (result, { json }) => (result.ok ? { ok: result.ok, product: json(result.product) } : result),
})

export const media = definePart({ make: ({ content }) => audioCandidates(content) })

export const follow = definePart({ make: ({ content, url }) => linksToFollow(content, url) })

export const siteLinks = definePart({ make: ({ content }) => site.siteLinks(content.tree(), content.base()) })

export const account = definePart({ make: ({ content }) => content.account() })

export const passages = definePart({
  async make({ sentences }, queries: readonly { query: string }[]) {
    const { passagesFor } = await import('../page-text.ts')
    return passagesFor(await sentences(), queries)
  },
  cost: 'the query',
})

export const gist = definePart({
  async make({ content, sentences }) {
    const { summarizePage } = await import('../page-text.ts')
    return summarizePage(await sentences(), content)
  },
})

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
