import type { FoundDoc } from '../../search/docs/search-docs.ts'

const mostQuotes = 3
/** A section this near to the best one may answer as well. */
const near = 0.6

/** Two to four sentences as they stand in the documentation, each with its place; the best section first. */
export function quotedAnswer(found: readonly FoundDoc[]): string {
  const [best] = found
  const quotes: string[] = []
  for (const doc of found) {
    if (quotes.length >= mostQuotes || doc.score < near * (best?.score ?? 0)) break
    const [first, ...more] = doc.passages
    // Of the best section as much as answers, of the others what answers best.
    const passages = doc === best ? [first, ...more] : [first]
    for (const passage of passages)
      if (passage !== undefined && quotes.length < mostQuotes) quotes.push(quoted(doc, passage))
  }
  return quotes.join('\n\n')
}

function quoted({ pathOrUrl, title }: FoundDoc, passage: string): string {
  return `> ${passage.replaceAll('\n', ' ')}\n\n${title} (${pathOrUrl})`
}
