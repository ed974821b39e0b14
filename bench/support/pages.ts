import type { SupportCase } from './case.ts'
import type { FixParameters, Outcome } from './kit.ts'

/** Returns a small page with this content. */
export function html(title: string, body: string, { head = '', lang = 'en' } = {}): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`
}

/** Returns `count` paragraphs about a topic. */
export function prose(topic: string, count = 6): string {
  const sentences = [
    `${topic} has a history that most visitors have never heard of.`,
    `People who come back every year say that ${topic.toLowerCase()} changes less than they do.`,
    `What is written about ${topic.toLowerCase()} elsewhere is often copied from a single old source.`,
    `The oldest record of ${topic.toLowerCase()} is kept in a drawer of the town archive.`,
  ]
  return Array.from({ length: count }, (_, index) => {
    const rotated = [...sentences.slice(index % 4), ...sentences.slice(0, index % 4)]
    return `<p>Part ${index + 1}. ${rotated.slice(0, 3).join(' ')}</p>`
  }).join('\n')
}

/** Returns a list of links to these paths. */
export function links(paths: readonly string[], text = 'Chapter'): string {
  return `<ul>${paths.map((path, index) => `<li><a href="${path}">${text} ${index + 1}</a></li>`).join('')}</ul>`
}

export const numbered = (count: number, path: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, index) => path(index + 1))

/** Creates a fix that succeeds if the result contains these words. */
export function returnsText(words: string, fixParameters: FixParameters): NonNullable<SupportCase['fix']> {
  return returnsResult(({ text }) => text.includes(words), fixParameters)
}

/** Creates a fix that succeeds if at least this many different pages match the path. */
export function returnsPages(
  { path, atLeast }: { path: RegExp; atLeast: number },
  fixParameters: FixParameters,
): NonNullable<SupportCase['fix']> {
  return returnsResult(({ pages }) => {
    const matchingPages = new Set(pages.filter((page) => path.test(new URL(page).pathname)))
    return matchingPages.size >= atLeast
  }, fixParameters)
}

export function returnsResult(
  isExpected: (outcome: Outcome) => boolean,
  fixParameters: FixParameters,
): NonNullable<SupportCase['fix']> {
  return {
    parameters: fixParameters,
    succeeds: async (kit, parameters) => isExpected(await kit.repeatWith(parameters)),
  }
}
