/** The rules of a robots.txt for one agent. */
export interface RobotsRules {
  /** Whether a path with its query may be fetched. */
  allows(path: string): boolean
  /** Seconds between two requests that the site asks for. */
  crawlDelay: number | undefined
}

export interface Robots {
  /** The rules of the groups that name the agent, all of them together; without any, those for everyone. */
  rulesFor(agent: string): RobotsRules
  /** Sitemaps that the file names, as they stand there. */
  sitemaps: string[]
}

/** By the standard at least 500 KiB are read; what comes after is not. */
const mostCharacters = 512 * 1024
const mostSitemaps = 1000

/** Reads a robots.txt by RFC 9309, with the mistakes forgiven that large crawlers forgive. */
export function readRobots(text: string): Robots {
  const sitemaps: string[] = []
  const groups: Group[] = []
  let group: Group | undefined
  for (const line of text
    .slice(0, mostCharacters)
    .replace(/^[\uFEFF\uFFFD]+/, '')
    .split(/\r\n|\n|\r/)) {
    const said = readLine(line)
    if (!said) continue
    if (said.key === 'agent') {
      // Agents named in a row share one group; a rule closes the row, anything else does not.
      if (!group || group.hasRules) {
        group = { agents: [], rules: [], hasRules: false }
        groups.push(group)
      }
      group.agents.push(said.value)
    } else if (said.key === 'sitemap') {
      if (said.value !== '' && sitemaps.length < mostSitemaps) sitemaps.push(said.value)
    } else if (group) {
      addRule(group, said.key, said.value)
    }
  }
  return { sitemaps, rulesFor: (agent) => rulesOf(groups, agent) }
}

interface Group {
  agents: string[]
  rules: Rule[]
  hasRules: boolean
  crawlDelay?: number
}

interface Rule {
  isAllow: boolean
  pattern: string
}

type Key = 'agent' | 'allow' | 'disallow' | 'sitemap' | 'delay'

function readLine(line: string): { key: Key; value: string } | undefined {
  const bare = line.split('#', 1)[0]?.trim() ?? ''
  if (bare === '') return undefined
  const colon = bare.indexOf(':')
  // A missing colon is forgiven where the line is two words.
  const parts = colon < 0 ? bare.split(/\s+/) : [bare.slice(0, colon).trim(), bare.slice(colon + 1).trim()]
  const key = parts.length === 2 ? keys.get((parts[0] ?? '').toLowerCase()) : undefined
  return key && { key, value: parts[1] ?? '' }
}

const keys = new Map<string, Key>([
  ['user-agent', 'agent'],
  ['useragent', 'agent'],
  ['user agent', 'agent'],
  ['allow', 'allow'],
  ['disallow', 'disallow'],
  ['dissallow', 'disallow'],
  ['dissalow', 'disallow'],
  ['disalow', 'disallow'],
  ['diasllow', 'disallow'],
  ['disallaw', 'disallow'],
  ['sitemap', 'sitemap'],
  ['site-map', 'sitemap'],
  ['crawl-delay', 'delay'],
  ['crawldelay', 'delay'],
])

function addRule(group: Group, key: Key, value: string): void {
  // A delay ends the list of agents too: many files have groups with only a delay, followed by a ban for another agent.
  group.hasRules = true
  if (key === 'delay') {
    const seconds = Number(value)
    if (value !== '' && seconds >= 0) group.crawlDelay ??= seconds
    return
  }
  // A rule without a path rules nothing.
  if (value !== '') group.rules.push({ isAllow: key === 'allow', pattern: encodePattern(value) })
}

/** Octets beyond ASCII in percent-encoding, and every encoding in capitals, as in the paths compared with it. */
function encodePattern(pattern: string): string {
  return pattern
    .replace(/[^\x20-\x7e]+/g, (text) => encodeURIComponent(text.toWellFormed()))
    .replace(/%[0-9a-f]{2}/gi, (octet) => octet.toUpperCase())
}

function rulesOf(groups: Group[], agent: string): RobotsRules {
  const name = productOf(agent)
  const own = groups.filter((group) => group.agents.some((named) => productOf(named) === name && name !== ''))
  const chosen = own.length > 0 ? own : groups.filter((group) => group.agents.some(isEveryone))
  const rules = chosen.flatMap((group) => group.rules)
  return {
    allows: (path) => isAllowed(rules, path),
    crawlDelay: chosen.find((group) => group.crawlDelay !== undefined)?.crawlDelay,
  }
}

/** The product token: letters, underscores and hyphens; what follows, such as a version, does not count. */
function productOf(agent: string): string {
  return /^[a-z_-]*/i.exec(agent)?.[0].toLowerCase() ?? ''
}

function isEveryone(agent: string): boolean {
  return /^\*(?:\s|$)/.test(agent)
}

/** The longest pattern decides; where two are as long, the one that allows. */
function isAllowed(rules: Rule[], sent: string): boolean {
  const path = encodePattern(sent.split('#', 1)[0] ?? '')
  let longest = -1
  let isAllow = true
  for (const rule of rules) {
    const length = matchLength(rule, path)
    if (length > longest || (length === longest && rule.isAllow)) {
      longest = length
      isAllow = rule.isAllow
    }
  }
  return longest < 0 || isAllow
}

function matchLength({ isAllow, pattern }: Rule, path: string): number {
  if (matches(pattern, path)) return pattern.length
  // To allow the index file of a folder is to allow the folder.
  const folder = isAllow ? /^(.*\/)index\.html?$/.exec(pattern)?.[1] : undefined
  return folder !== undefined && matches(`${folder}$`, path) ? folder.length + 1 : -1
}

/**
 * `*` stands for any text, `$` at the end for the end of the path. The pieces between stars are looked for from left to
 * right, each at its first place: with stars only, the first place is as good as any, so nothing is tried twice.
 */
function matches(pattern: string, path: string): boolean {
  const isAnchored = pattern.endsWith('$')
  const [first = '', ...rest] = (isAnchored ? pattern.slice(0, -1) : pattern).split('*')
  if (!path.startsWith(first)) return false
  if (rest.length === 0) return !isAnchored || path.length === first.length
  const last = isAnchored ? (rest.pop() ?? '') : ''
  let from = first.length
  for (const piece of rest) {
    const found = path.indexOf(piece, from)
    if (found < 0) return false
    from = found + piece.length
  }
  return path.length - last.length >= from && path.endsWith(last)
}

/** For a site without a robots.txt. */
export const allowEverything: Robots = readRobots('')

/** For a site whose robots.txt cannot be had: by the standard nothing may be fetched then. */
export const allowNothing: Robots = readRobots('user-agent: *\ndisallow: /')
