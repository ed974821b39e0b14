import { type PromptOptions, promptRules } from './prompt-rules.ts'
import { type SectionMatch, sectionsFor, siteSections } from './site-sections.ts'

export type { PromptOptions } from './prompt-rules.ts'

export interface ReadPrompt {
  options: PromptOptions
  /** Parts of the prompt that were not understood, or that match nothing on the site. */
  unclear: string[]
}

/**
 * A prompt → crawl options, by rules for common phrases. Sections are looked for among paths that were seen on the
 * site: a phrase for pages that are not there sets nothing and is named.
 */
export function readPrompt(prompt: string, seenPaths: readonly string[]): ReadPrompt {
  const options: PromptOptions = {}
  const unclear: string[] = []
  const site = siteSections(seenPaths)
  let rest = ` ${prompt.slice(0, 10_000).toLowerCase().replace(/\s+/g, ' ').replaceAll('’', "'")} `
  for (const rule of promptRules) {
    rest = rest.replace(rule.says, (...found) => {
      // The last two are the place and the whole text.
      const parts = found.slice(1, -2).map((part) => (typeof part === 'string' ? part : ''))
      const meant = rule.means(...parts)
      Object.assign(options, rule.isWeak ? { ...meant, ...options } : meant)
      return ' ; '
    })
  }
  const read = (verbs: RegExp, add: (match: SectionMatch) => void) => {
    rest = rest.replace(verbs, (_, phrase: string) => {
      for (const topic of topicsOf(phrase)) {
        const match = sectionsFor(topic, site)
        if (match) add(match)
        else unclear.push(topic)
      }
      return ' ; '
    })
  }
  const excluded: string[] = []
  const included: string[] = []
  read(excluding, ({ patterns }) => excluded.push(...patterns))
  read(aloneBefore, ({ patterns }) => included.push(...patterns))
  read(including, ({ patterns }) => included.push(...patterns))
  if (excluded.length > 0) options.excludePaths = [...new Set(excluded)]
  if (included.length > 0) options.includePaths = [...new Set(included)]
  unclear.push(...leftOver(rest))
  return { options, unclear }
}

const phrase = '([^;.!?]*?)'
const phraseEnd =
  "(?= ?(?:;|[!?]|\\.(?: |$)|,? (?:but|then|with|and (?:skip|ignore|exclude|avoid|leave|only|don't|not|no)) |$))"
const excluding = new RegExp(
  `(?:(?:but|and|please|,)* ?(?:skip|skipping|exclude|excluding|ignore|ignoring|avoid|avoiding|omit|except(?: for)?|without|leave out|but not|nothing from|don't (?:crawl|scrape|include|visit|get)|do not (?:crawl|scrape|include|visit|get)))(?: everything| all| any| anything)?(?: (?:under|in|from|below|about))? ${phrase}${phraseEnd}`,
  'g',
)
const including = new RegExp(
  `(?:(?:please|,)* ?(?:only|just|crawl|scrape|get|fetch|collect|extract|find|focus on|restrict(?: it)? to|i (?:want|need)|give me|everything|all))(?: (?:only|just|crawl|scrape|get|fetch|include|everything|all|every))*(?: (?:of|under|in|from|below|about))? ${phrase}${phraseEnd}`,
  'g',
)

/** "The documentation only." */
const aloneBefore = /([^;.,!?]+?) only(?= ?(?:[;.,!?]|$))/g

const filler =
  /\b(?:the|this|that|these|those|a|an|all|any|every|of|on|in|from|at|to|for|under|below|about|and|or|please|me|my|i|we|us|want|need|would|like|you|can|could|site|website|domain|web|page|pages|section|sections|part|parts|area|path|paths|folder|url|urls|link|links|content|contents|crawl|scrape|get|only|just|also|its|it|is|are|be|with|related|stuff|things?|everything|thanks?|https?|www)\b/g

/** "the blog and the docs" are two topics; words that name no topic are left out. */
function topicsOf(text: string): string[] {
  return text
    .split(/,| and | or |&|\+/)
    .map((part) =>
      part
        .replaceAll(filler, ' ')
        .replaceAll(/["'`*]/g, ' ')
        .replace(/\s+/g, ' ')
        .trim(),
    )
    .filter((topic) => topic !== '')
}

function leftOver(rest: string): string[] {
  return rest
    .split(/[;.!?,](?:\s|$)/)
    .map((part) => part.replaceAll(filler, ' ').replace(/\s+/g, ' ').trim())
    .filter((part) => /[\p{L}\p{N}]{2}/u.test(part) && !/^(?:but|then|not|no|up|so)$/.test(part))
}
