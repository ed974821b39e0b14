/** What a page brought, as far as its content can be compared. */
export interface PageContent {
  words: number
  /** How many of the phrases that the question quotes are in it. */
  phrases: number
  text: string
}

/** A page that brought nothing. */
export const noContent: PageContent = { words: 0, phrases: 0, text: '' }

/** What the question puts in quotation marks: probably words that the page should have. */
export function phrasesOf(words: string): string[] {
  const quoted = words.matchAll(
    /"([^"\n]{3,120})"|“([^”\n]{3,120})”|`([^`\n]{3,120})`|'([^'\n]{3,120})'(?!\w)/g,
  )
  const phrases = [...quoted].map((match) => match.slice(1).find((part) => part !== undefined) ?? '')
  // Options, codes and addresses are no words of a page.
  return phrases.filter((phrase) => !/^[\w.[\]]+:|^https?:|^[A-Z_]{4,}$|[{}]/.test(phrase)).slice(0, 10)
}

export function contentOf(markdown: string, phrases: readonly string[]): PageContent {
  const text = markdown.replace(/\]\([^)\s]*\)/g, ']').slice(0, 400_000)
  const lower = text.toLowerCase()
  return {
    words: text.match(/[\p{L}\p{N}]{2,}/gu)?.length ?? 0,
    phrases: phrases.filter((phrase) => lower.includes(phrase.toLowerCase())).length,
    text,
  }
}

/** From so many words on, a page that failed before counts as had. */
const fewestWords = 10

/** Whether a page is better than the one before. What only widens the choice of parts has to bring more. */
export function isBetter(now: PageContent, before: PageContent, { widens }: { widens: boolean }): boolean {
  if (now.phrases !== before.phrases) return now.phrases > before.phrases
  if (before.words === 0) return now.words >= fewestWords
  const factor = widens ? 1.5 : 1.25
  return now.words >= before.words * factor + fewestWords
}
