import type { SupportCase } from './case.ts'
import type { FixParameters, Outcome } from './kit.ts'

/** A small page around this content. */
export function html(title: string, body: string, { head = '', lang = 'en' } = {}): string {
  return `<!doctype html><html lang="${lang}"><head><meta charset="utf-8"><title>${title}</title>${head}</head><body>${body}</body></html>`
}

/** `count` paragraphs about something. */
export function prose(about: string, count = 6): string {
  const sentences = [
    `${about} has a history that most visitors have never heard of.`,
    `People who come back every year say that ${about.toLowerCase()} changes less than they do.`,
    `What is written about ${about.toLowerCase()} elsewhere is often copied from a single old source.`,
    `The oldest record of ${about.toLowerCase()} is kept in a drawer of the town archive.`,
  ]
  return Array.from({ length: count }, (_, at) => {
    const turned = [...sentences.slice(at % 4), ...sentences.slice(0, at % 4)]
    return `<p>Part ${at + 1}. ${turned.slice(0, 3).join(' ')}</p>`
  }).join('\n')
}

/** Pages of this content under a folder, linked in a list. */
export function links(paths: readonly string[], text = 'Chapter'): string {
  return `<ul>${paths.map((path, at) => `<li><a href="${path}">${text} ${at + 1}</a></li>`).join('')}</ul>`
}

export const numbered = (count: number, path: (number: number) => string): string[] =>
  Array.from({ length: count }, (_, at) => path(at + 1))

/** Mended when these words are in what comes back. */
export function bringsWords(words: string, remedy: FixParameters): NonNullable<SupportCase['fix']> {
  return bringsWhat(({ text }) => text.includes(words), remedy)
}

/** Mended when at least this many different pages come back, of those that are wanted. */
export function bringsPages(
  { path, atLeast }: { path: RegExp; atLeast: number },
  remedy: FixParameters,
): NonNullable<SupportCase['fix']> {
  return bringsWhat(({ pages }) => {
    const wanted = new Set(pages.filter((page) => path.test(new URL(page).pathname)))
    return wanted.size >= atLeast
  }, remedy)
}

export function bringsWhat(
  isThere: (outcome: Outcome) => boolean,
  remedy: FixParameters,
): NonNullable<SupportCase['fix']> {
  return { remedy, holds: async (kit, parameters) => isThere(await kit.again(parameters)) }
}
