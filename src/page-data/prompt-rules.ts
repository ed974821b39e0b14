/** Crawl options that a prompt can set. */
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

interface Rule {
  says: RegExp
  /** What the groups of the expression come to. */
  means(...parts: string[]): PromptOptions
  /** Gives way to a rule that has spoken before. */
  isWeak?: boolean
}

const number =
  '(\\d[\\d,]*k?|an?|one|two|three|four|five|six|seven|eight|nine|ten|twenty|fifty|hundred|thousand)'
const no =
  "(?:no|not|without|exclude|excluding|skip|ignore|avoid|never|don't (?:include|follow|visit|crawl|use|go to)|do not (?:include|follow|visit|crawl|use|go to))"
const yes = '(?:include|including|allow|allowing|follow|following|with|also|and|use|using|visit|even)'
const pages = '(?:pages?|urls?|links?|results?|documents?|articles?|posts?|items?)'

export const promptRules: Rule[] = [
  {
    says: new RegExp(
      `(?:with )?(?:a )?(?:maximum |max |discovery )*depth (?:limit )?(?:of |to |is |: ?|= ?)?(?:at most )?${number}`,
      'g',
    ),
    means: (count) => ({ maxDiscoveryDepth: numberOf(count) }),
  },
  {
    says: new RegExp(
      `(?:go |only |no more than |at most |up to |no deeper than )*${number} (?:levels?|hops?|clicks?|links)(?: deep| down| away| from the start(?: page)?)*`,
      'g',
    ),
    means: (count) => ({ maxDiscoveryDepth: numberOf(count) }),
  },
  {
    says: new RegExp(`(?:no|not) deeper than ${number}`, 'g'),
    means: (count) => ({ maxDiscoveryDepth: numberOf(count) }),
  },
  {
    says: new RegExp(
      `(?:only )?(?:get |crawl |scrape )?(?:the )?(?:at most|up to|max(?:imum)?(?: of)?|no more than|not more than|limit(?:ed)?(?: it)?(?: to|:| of)?|stop after|first|about|around|only|just) ${number}(?: of the)?(?: ${pages})?(?! ?(?:seconds?|ms|milliseconds?|levels?))`,
      'g',
    ),
    means: (count) => ({ limit: numberOf(count) }),
  },
  {
    says: new RegExp(`(?:get |crawl |scrape )?\\b(\\d[\\d,]*k?) ${pages}`, 'g'),
    isWeak: true,
    means: (count) => ({ limit: numberOf(count) }),
  },
  {
    says: /(?:with )?(?:a )?(\d+(?:\.\d+)?)[ -]?(ms|milliseconds?|seconds?|sec|s|minutes?) (?:delay|pause|wait)(?: between (?:each |the |two )?(?:pages?|requests?|urls?))?|(?:one|1) (?:page|request) (?:per|every|each) (?:(\d+) )?(seconds?|minutes?)/g,
    means: (amount, unit, other, otherUnit) => ({
      delay: unit ? seconds(amount, unit) : seconds(other || '1', otherUnit),
    }),
  },
  {
    says: /(?:with )?(?:a )?(?:wait|delay|pause|sleep|every)(?: of| for)? (\d+(?:\.\d+)?) ?(ms|milliseconds?|seconds?|sec|s|minutes?)(?: delay)?(?: between (?:each |the |two )?(?:pages?|requests?|urls?))?/g,
    means: (amount, unit) => ({ delay: seconds(amount, unit) }),
  },
  {
    says: /\b(?:slowly|politely|gently|be (?:polite|gentle))\b/g,
    isWeak: true,
    means: () => ({ delay: 1 }),
  },
  {
    says: new RegExp(`${no} (?:any |the |all )?(?:other )?sub-?domains`, 'g'),
    means: () => ({ allowSubdomains: false }),
  },
  {
    says: new RegExp(`(?:${yes} )*(?:any |the |all |its )?sub-?domains(?: too| as well)?`, 'g'),
    means: () => ({ allowSubdomains: true }),
  },
  {
    says: new RegExp(
      `${no} (?:any |the |to )*(?:external|outside|outbound|other) (?:links?|sites?|domains?|websites?|pages?)|stay on (?:this|the(?: same)?) (?:site|domain|website)`,
      'g',
    ),
    means: () => ({ allowExternalLinks: false }),
  },
  {
    says: new RegExp(
      `(?:${yes} )+(?:any |the |all |to )*(?:external|outside|outbound|other) (?:links?|sites?|domains?|websites?|pages?)(?: too| as well)?`,
      'g',
    ),
    means: () => ({ allowExternalLinks: true }),
  },
  {
    says: /(?:crawl |scrape |get |map )?(?:the |this )?(?:entire|whole|full|complete) (?:site|domain|website)|everything on (?:the|this) (?:site|domain|website)|all pages (?:of|on) (?:the|this) (?:site|domain|website)/g,
    means: () => ({ crawlEntireDomain: true }),
  },
  {
    says: /(?:only |just )?(?:child pages|pages (?:below|under) (?:this|the) (?:path|url|page|address))(?: only)?/g,
    means: () => ({ crawlEntireDomain: false }),
  },
  {
    says: /(?:only|just) (?:use |from |crawl |the |what(?:'s| is) in )*sitemap(?: pages| urls)?|(?:use )?(?:the )?sitemap only|only (?:pages|urls) (?:in|from|of) (?:the )?sitemap/g,
    means: () => ({ sitemap: 'only' }),
  },
  {
    says: new RegExp(`${no} (?:the |any |use of )*sitemaps?`, 'g'),
    means: () => ({ sitemap: 'skip' }),
  },
  {
    says: new RegExp(`(?:${yes} )+(?:the )?sitemaps?(?: too| as well)?`, 'g'),
    means: () => ({ sitemap: 'include' }),
  },
  {
    says: new RegExp(
      `(?:${no}|strip|drop|remove) (?:the |any |all |url )*(?:query|url) (?:parameters?|params?|strings?)|${no} (?:the |any )?(?:parameters|query)\\b`,
      'g',
    ),
    means: () => ({ ignoreQueryParameters: true }),
  },
  {
    says: /(?:keep|respect|with|include|distinguish)(?: the)? (?:query|url) (?:parameters?|params?|strings?)/g,
    means: () => ({ ignoreQueryParameters: false }),
  },
  {
    says: /(?:ignore|ignoring|disregard|skip|bypass|don't (?:respect|obey|follow)|do not (?:respect|obey|follow)) (?:the )?robots(?:\.txt)?(?: (?:file|rules))?/g,
    means: () => ({ ignoreRobotsTxt: true }),
  },
  {
    says: /(?:respect|respecting|obey|obeying|follow|honou?r|honou?ring) (?:the )?robots(?:\.txt)?(?: (?:file|rules))?(?: (?:for|as) ([a-z_-]+))?/g,
    means: (agent) => ({ ignoreRobotsTxt: false, ...(agent ? { robotsUserAgent: agent } : {}) }),
  },
  {
    says: /(?:no|without|skip|remove|drop|ignore) (?:similar|duplicate) (?:urls?|pages?)|(?:without|no) duplicates|dedup(?:licate|e)?(?: similar)?(?: (?:urls?|pages?))?/g,
    means: () => ({ deduplicateSimilarURLs: true }),
  },
  {
    says: /(?:keep|include|allow) (?:similar|duplicate) (?:urls?|pages?)|keep duplicates/g,
    means: () => ({ deduplicateSimilarURLs: false }),
  },
]

const numberWords = new Map([
  ...['one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'].map(
    (word, index): [string, number] => [word, index + 1],
  ),
  ...([
    ['a', 1],
    ['an', 1],
    ['twenty', 20],
    ['fifty', 50],
    ['hundred', 100],
    ['thousand', 1000],
  ] as [string, number][]),
])

function numberOf(text = ''): number {
  const word = numberWords.get(text)
  if (word !== undefined) return word
  const digits = Number(text.replaceAll(/[,k]/g, ''))
  return text.endsWith('k') ? digits * 1000 : digits
}

/** Whole seconds, at least one and at most a minute. */
function seconds(amount = '1', unit = 's'): number {
  const factor = unit.startsWith('ms') || unit.startsWith('milli') ? 0.001 : unit.startsWith('min') ? 60 : 1
  return Math.min(60, Math.max(1, Math.ceil(Number(amount) * factor)))
}
