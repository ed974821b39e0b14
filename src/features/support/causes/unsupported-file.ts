import { defineCause } from '../cause.ts'
import { failedWith } from '../support-case.ts'

export const unsupportedFile = defineCause({
  name: 'unsupported-file',
  find(facts) {
    const code = failedWith(
      facts,
      'SCRAPE_UNSUPPORTED_FILE_ERROR',
      'UNSUPPORTED_FILE_TYPE',
      'DOCUMENT_DAMAGED',
      'DOCUMENT_EMPTY',
    )
    if (!code) return undefined
    return {
      sureness: 0.95,
      diagnosis: (facts.job?.error?.error ?? 'The file cannot be converted to text.').slice(0, 300),
      advice:
        'docs/documents.md lists the types that can be read; check the file in the program that made it.',
    }
  },
})
