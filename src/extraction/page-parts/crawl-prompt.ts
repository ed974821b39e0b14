/** Sections by normalized name, built once for all topics of a prompt. */
interface SiteSections {
  paths: readonly string[]
  byName: ReadonlyMap<string, ReadonlySet<string>>
}

const maxSectionDepth = 20

function indexSections(paths: readonly string[]): SiteSections {
  const byName = new Map<string, Set<string>>()
  for (const path of paths) {
    const segments = path.split('/', maxSectionDepth)
    for (const [index, segment] of segments.entries()) {
      const name = singular(segment.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
      if (name === '') continue
      const sectionPaths = byName.get(name) ?? new Set()
      byName.set(name, sectionPaths.add(segments.slice(0, index + 1).join('/')))
    }
  }
  return { paths, byName }
}

/**
 * Converts a topic such as "blog", "/docs/api" or "PDF files" into path patterns. A topic must match a seen
 * path, unless it is a path or a file type.
 */
function sectionsFor(topic: string, site: SiteSections): string[] | undefined {
  const explicitPath = /(?:^|\s)(\/[\w%.~-]+(?:\/[\w%.~-]+)*)\/?\*?(?:\s|$)/.exec(topic)?.[1]
  if (explicitPath !== undefined) return [sectionPattern(explicitPath)]
  const extension = extensionsByName.get(singular(topic.replace(/ (?:file|document)s?$/, '')))
  if (extension !== undefined) return [`\\.${extension}$`]
  const words = (topic.match(/[\p{L}\p{N}]+/gu) ?? []).map(singular)
  const year = words.find((word) => /^(?:19|20)\d\d$/.test(word))
  const topicWords = words.filter((word) => word !== year)
  const sections = topicWords.length === 0 ? [] : findSections(topicWords, site)
  if (topicWords.length > 0 && sections.length === 0) return undefined
  if (year === undefined) return sections.map(sectionPattern)
  if (!site.paths.some((path) => path.includes(year))) return undefined
  if (sections.length === 0) return [`/${year}(?:/|$)`]
  return sections.map((section) => `^${escapeRegExp(section)}/.*${year}`)
}

const maxSections = 5

/** The last segment of a path is the topic or one of its synonyms. The shortest paths are chosen. */
function findSections(words: string[], { byName }: SiteSections): string[] {
  const pathsNamed = (names: string[]) => names.flatMap((name) => [...(byName.get(name) ?? [])])
  let paths = pathsNamed([words.join('')])
  for (const word of words) if (paths.length === 0) paths = pathsNamed([word])
  const hasWord = (names: string[]) => words.some((word) => names.includes(word))
  if (paths.length === 0) paths = pathsNamed(synonyms.filter(hasWord).flat())
  const chosen: string[] = []
  for (const section of paths.toSorted((left, right) => left.length - right.length)) {
    if (chosen.length === maxSections) break
    // A section inside a chosen section is redundant.
    if (!chosen.some((other) => section === other || section.startsWith(`${other}/`))) chosen.push(section)
  }
  return chosen
}

/** Each word is in the form that `singular` returns, such as "stori" for "stories" and "new" for "news". */
const synonyms = [
  ['doc', 'documentation', 'manual', 'guide', 'help'],
  ['blog', 'post', 'article', 'new', 'stori', 'blogpost'],
  ['product', 'shop', 'item', 'store', 'catalogue', 'catalog'],
  ['career', 'job', 'vacanci'],
  ['pricing', 'price', 'plan'],
  ['support', 'help', 'faq'],
  ['legal', 'term', 'privacy', 'imprint'],
  ['english', 'en'],
  ['german', 'de'],
  ['french', 'fr'],
  ['spanish', 'es'],
  ['japanese', 'ja', 'jp'],
]

const extensions = { pdf: 'pdf', word: 'docx?', docx: 'docx', excel: 'xlsx?', xlsx: 'xlsx' }
const extensionsByName = new Map(Object.entries(extensions))

const sectionPattern = (section: string) => `^${escapeRegExp(section)}(?:/|$)`
const escapeRegExp = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

function singular(word: string): string {
  return word.length > 3 ? word.replace(/ies$/, 'i').replace(/(?<!s)s$/, '') : word
}

export interface ParsedPrompt {
  options: PromptOptions
  /** Phrases that no rule matches, or that match no path of the site. */
  unclear: string[]
}

/** A phrase about pages that the site does not have sets no option and is returned as unclear. */
export function readPrompt(prompt: string, seenPaths: readonly string[]): ParsedPrompt {
  const options: PromptOptions = {}
  const unclear: string[] = []
  const site = indexSections(seenPaths)
  let rest = ` ${prompt.slice(0, 10_000).toLowerCase().replace(/\s+/g, ' ').replaceAll('’', "'")} `
  for (const [pattern, ruleOptions, strength] of promptRules) {
    rest = rest.replace(new RegExp(pattern, 'g'), (...groups) => {
      // The last two arguments are the offset and the complete text.
      const parts = groups.slice(1, -2).map((part) => (typeof part === 'string' ? part : ''))
      const found = typeof ruleOptions === 'function' ? ruleOptions(...parts) : ruleOptions
      Object.assign(options, strength === 'weak' ? { ...found, ...options } : found)
      return ' ; '
    })
  }
  const readPhrases = (verbs: RegExp, patterns: string[]) => {
    rest = rest.replace(verbs, (_, phrase: string) => {
      for (const topic of topicsOf(phrase)) {
        const match = sectionsFor(topic, site)
        if (match) patterns.push(...match)
        else unclear.push(topic)
      }
      return ' ; '
    })
  }
  const excluded: string[] = []
  const included: string[] = []
  readPhrases(excludePhrase, excluded)
  readPhrases(onlyAfterPhrase, included)
  readPhrases(includePhrase, included)
  if (excluded.length > 0) options.excludePaths = [...new Set(excluded)]
  if (included.length > 0) options.includePaths = [...new Set(included)]
  unclear.push(...remainingPhrases(rest))
  return { options, unclear }
}

const phrase = '([^;.!?]*?)'
const phraseEnd =
  "(?= ?(?:;|[!?]|\\.(?: |$)|,? (?:but|then|with|and (?:skip|ignore|exclude|avoid|leave|only|don't|not|no)) |$))"
const excludePhrase = new RegExp(
  `(?:(?:but|and|please|,)* ?(?:skip|skipping|exclude|excluding|ignore|ignoring|avoid|avoiding|omit|except(?: for)?|without|leave out|but not|nothing from|don't (?:crawl|scrape|include|visit|get)|do not (?:crawl|scrape|include|visit|get)))(?: everything| all| any| anything)?(?: (?:under|in|from|below|about))? ${phrase}${phraseEnd}`,
  'g',
)
const includePhrase = new RegExp(
  `(?:(?:please|,)* ?(?:only|just|crawl|scrape|get|fetch|collect|extract|find|focus on|restrict(?: it)? to|i (?:want|need)|give me|everything|all))(?: (?:only|just|crawl|scrape|get|fetch|include|everything|all|every))*(?: (?:of|under|in|from|below|about))? ${phrase}${phraseEnd}`,
  'g',
)

/** For example "The documentation only." */
const onlyAfterPhrase = /([^;.,!?]+?) only(?= ?(?:[;.,!?]|$))/g

const fillerWords =
  /\b(?:the|this|that|these|those|a|an|all|any|every|of|on|in|from|at|to|for|under|below|about|and|or|please|me|my|i|we|us|want|need|would|like|you|can|could|site|website|domain|web|page|pages|section|sections|part|parts|area|path|paths|folder|url|urls|link|links|content|contents|crawl|scrape|get|only|just|also|its|it|is|are|be|with|related|stuff|things?|everything|thanks?|https?|www)\b/g

/** "The blog and the docs" are two topics. */
function topicsOf(text: string): string[] {
  return text
    .split(/,| and | or |&|\+/)
    .map((part) => withoutFillers(part.replaceAll(/["'`*]/g, ' ')))
    .filter((topic) => topic !== '')
}

function remainingPhrases(rest: string): string[] {
  return rest
    .split(/[;.!?,](?:\s|$)/)
    .map(withoutFillers)
    .filter((part) => /[\p{L}\p{N}]{2}/u.test(part) && !/^(?:but|then|not|no|up|so)$/.test(part))
}

const withoutFillers = (text: string) => text.replaceAll(fillerWords, ' ').replace(/\s+/g, ' ').trim()
export interface PromptOptions {
  includePaths?: string[]
  excludePaths?: string[]
  maxDiscoveryDepth?: number
  crawlEntireDomain?: boolean
  allowExternalLinks?: boolean
  allowSubdomains?: boolean
  sitemap?: 'skip' | 'include' | 'only'
  ignoreQueryParameters?: boolean
  ignoreRobotsTxt?: boolean
  robotsUserAgent?: string
  deduplicateSimilarURLs?: boolean
  delay?: number
  limit?: number
}

/**
 * Pattern of a common phrase, and its options, which may depend on the captured groups. Options of earlier rules take
 * precedence over weak ones.
 */
type PromptRule = [
  pattern: string | RegExp,
  options: PromptOptions | ((...parts: string[]) => PromptOptions),
  strength?: 'weak',
]

const numberPattern =
  '(\\d[\\d,]*k?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|thousand)'
const negation =
  "(?:no|not|without|exclude|excluding|skip|ignore|avoid|never|don't (?:include|follow|visit|crawl|use|go to)|do not (?:include|follow|visit|crawl|use|go to))"
const affirmation = '(?:include|including|allow|allowing|follow|following|with|also|and|use|using|visit|even)'
const pageNoun = '(?:pages?|urls?|links?|results?|documents?|articles?|posts?|items?)'

const promptRules: PromptRule[] = [
  [
    `(?:with )?(?:a )?(?:maximum |max |discovery )*depth (?:limit )?(?:of |to |is |: ?|= ?)?(?:at most )?${numberPattern}`,
    (count) => ({ maxDiscoveryDepth: numberOf(count) }),
  ],
  [
    `(?:go |only |no more than |at most |up to |no deeper than )*${numberPattern} (?:levels?|hops?|clicks?|links)(?: deep| down| away| from the start(?: page)?)*`,
    (count) => ({ maxDiscoveryDepth: numberOf(count) }),
  ],
  [`(?:no|not) deeper than ${numberPattern}`, (count) => ({ maxDiscoveryDepth: numberOf(count) })],
  [
    `(?:only )?(?:get |crawl |scrape )?(?:the )?(?:at most|up to|max(?:imum)?(?: of)?|no more than|not more than|limit(?:ed)?(?: it)?(?: to|:| of)?|stop after|first|about|around|only|just) ${numberPattern}(?: of the)?(?: ${pageNoun})?(?! ?(?:seconds?|ms|milliseconds?|levels?))`,
    (count) => ({ limit: numberOf(count) }),
  ],
  [`(?:get |crawl |scrape )?\\b(\\d[\\d,]*k?) ${pageNoun}`, (count) => ({ limit: numberOf(count) }), 'weak'],
  [
    /(?:with )?(?:a )?(\d+(?:\.\d+)?)[ -]?(ms|milliseconds?|seconds?|sec|s|minutes?) (?:delay|pause|wait)(?: between (?:each |the |two )?(?:pages?|requests?|urls?))?|(?:one|1) (?:page|request) (?:per|every|each) (?:(\d+) )?(seconds?|minutes?)/g,
    (amount, unit, other, otherUnit) => ({
      delay: unit ? seconds(amount, unit) : seconds(other || '1', otherUnit),
    }),
  ],
  [
    /(?:with )?(?:a )?(?:wait|delay|pause|sleep|every)(?: of| for)? (\d+(?:\.\d+)?) ?(ms|milliseconds?|seconds?|sec|s|minutes?)(?: delay)?(?: between (?:each |the |two )?(?:pages?|requests?|urls?))?/g,
    (amount, unit) => ({ delay: seconds(amount, unit) }),
  ],
  [/\b(?:slowly|politely|gently|be (?:polite|gentle))\b/g, { delay: 1 }, 'weak'],
  [`${negation} (?:any |the |all )?(?:other )?sub-?domains`, { allowSubdomains: false }],
  [`(?:${affirmation} )*(?:any |the |all |its )?sub-?domains(?: too| as well)?`, { allowSubdomains: true }],
  [
    `${negation} (?:any |the |to )*(?:external|outside|outbound|other) (?:links?|sites?|domains?|websites?|pages?)|stay on (?:this|the(?: same)?) (?:site|domain|website)`,
    { allowExternalLinks: false },
  ],
  [
    `(?:${affirmation} )+(?:any |the |all |to )*(?:external|outside|outbound|other) (?:links?|sites?|domains?|websites?|pages?)(?: too| as well)?`,
    { allowExternalLinks: true },
  ],
  [
    /(?:crawl |scrape |get |map )?(?:the |this )?(?:entire|whole|full|complete) (?:site|domain|website)|everything on (?:the|this) (?:site|domain|website)|all pages (?:of|on) (?:the|this) (?:site|domain|website)/g,
    { crawlEntireDomain: true },
  ],
  [
    /(?:only |just )?(?:child pages|pages (?:below|under) (?:this|the) (?:path|url|page|address))(?: only)?/g,
    { crawlEntireDomain: false },
  ],
  [
    /(?:only|just) (?:use |from |crawl |the |what(?:'s| is) in )*sitemap(?: pages| urls)?|(?:use )?(?:the )?sitemap only|only (?:pages|urls) (?:in|from|of) (?:the )?sitemap/g,
    { sitemap: 'only' },
  ],
  [`${negation} (?:the |any |use of )*sitemaps?`, { sitemap: 'skip' }],
  [`(?:${affirmation} )+(?:the )?sitemaps?(?: too| as well)?`, { sitemap: 'include' }],
  [
    `(?:${negation}|strip|drop|remove) (?:the |any |all |url )*(?:query|url) (?:parameters?|params?|strings?)|${negation} (?:the |any )?(?:parameters|query)\\b`,
    { ignoreQueryParameters: true },
  ],
  [
    /(?:keep|respect|with|include|distinguish)(?: the)? (?:query|url) (?:parameters?|params?|strings?)/g,
    { ignoreQueryParameters: false },
  ],
  [
    /(?:ignore|ignoring|disregard|skip|bypass|don't (?:respect|obey|follow)|do not (?:respect|obey|follow)) (?:the )?robots(?:\.txt)?(?: (?:file|rules))?/g,
    { ignoreRobotsTxt: true },
  ],
  [
    /(?:respect|respecting|obey|obeying|follow|honou?r|honou?ring) (?:the )?robots(?:\.txt)?(?: (?:file|rules))?(?: (?:for|as) ([a-z_-]+))?/g,
    (agent) => ({ ignoreRobotsTxt: false, ...(agent ? { robotsUserAgent: agent } : {}) }),
  ],
  [
    /(?:no|without|skip|remove|drop|ignore) (?:similar|duplicate) (?:urls?|pages?)|(?:without|no) duplicates|dedup(?:licate|e)?(?: similar)?(?: (?:urls?|pages?))?/g,
    { deduplicateSimilarURLs: true },
  ],
  [
    /(?:keep|include|allow) (?:similar|duplicate) (?:urls?|pages?)|keep duplicates/g,
    { deduplicateSimilarURLs: false },
  ],
]

const numberWords = new Map(
  Object.entries({
    ...{ one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10 },
    ...{ a: 1, an: 1, twenty: 20, fifty: 50, hundred: 100, thousand: 1000 },
  }),
)

function numberOf(text = ''): number {
  const word = numberWords.get(text)
  if (word !== undefined) return word
  const digits = Number(text.replaceAll(/[,k]/g, ''))
  return text.endsWith('k') ? digits * 1000 : digits
}

function seconds(amount = '1', unit = 's'): number {
  const factor = unit.startsWith('ms') || unit.startsWith('milli') ? 0.001 : unit.startsWith('min') ? 60 : 1
  return Math.min(60, Math.max(1, Math.ceil(Number(amount) * factor)))
}
