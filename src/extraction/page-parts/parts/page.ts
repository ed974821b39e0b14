import * as site from '../../../content/site/site-links.ts'
import { audioCandidates } from '../media.ts'
import { linksToFollow } from '../page-links.ts'
import { type ProductResult, productOf } from '../product.ts'
import { definePart, type Pack } from './part.ts'

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
