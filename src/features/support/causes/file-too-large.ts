import { defineCause } from '../cause.ts'
import { failedWith, speaksOf } from '../support-case.ts'

export const fileTooLarge = defineCause({
  name: 'file-too-large',
  find(facts) {
    const code = failedWith(facts, 'DOCUMENT_LIMIT_EXCEEDED', 'SCRAPE_PAGE_TOO_LARGE', 'UPLOAD_TOO_LARGE')
    const isAsked = speaksOf(
      facts,
      /\b413\b|too large|UPLOAD_TOO_LARGE|REQUEST_TOO_LARGE|TOO_LARGE|size limit|too big/i,
    )
    if (!code && !isAsked) return undefined
    return {
      sureness: code ? 0.96 : 0.8,
      diagnosis:
        'The file, the page or the answer is larger than one call accepts (docs/limits.md has the bounds).',
      advice:
        'Split the file, convert some pages of a PDF at a time (parsers with maxPages or pages), or ask for fewer formats or parts of the page.',
      fixes: code ? [{ parsers: [{ type: 'pdf', maxPages: 10 }] }] : [],
    }
  },
})
