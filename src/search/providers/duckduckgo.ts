import { parseHtml } from '../../content/tree/parse.ts'
import {
  attributeNamed,
  classOf,
  endOf,
  isText,
  type Node,
  none,
  parentOf,
  root,
  type Tree,
  tagName,
  textAt,
  textOf,
} from '../../content/tree/tree.ts'
import { webDialect, writeQuery } from '../query/write-query.ts'
import { buildCallUrl, findRecentSpan, truncateQuery } from './calls.ts'
import { normalizeResults, type RawResult } from './normalize-results.ts'
import { ProviderFailure, type ProviderRequest, type SearchProvider } from './provider.ts'
import { dateOf, throwForStatus } from './read-response.ts'

const regions = new Map(
  (
    'AR:es AU:en AT:de BE:fr,nl BR:pt BG:bg CA:en,fr CL:es CN:zh CO:es HR:hr CZ:cs DK:da EE:et FI:fi FR:fr DE:de GR:el ' +
    'HU:hu IS:is IN:en ID:en IE:en IL:en IT:it LV:lv LT:lt MY:en MX:es NL:nl NZ:en NO:no PK:en PE:es PH:en PL:pl PT:pt ' +
    'RO:ro RU:ru SG:en SK:sk ZA:en ES:es,ca SE:sv CH:de,fr TH:en TR:tr US:en,es UA:uk VN:en'
  )
    .split(' ')
    .map((entry): [string, string[]] => [entry.slice(0, 2), entry.slice(3).split(',')]),
)

const regionNames: Record<string, string> = {
  ...{ GB: 'uk-en', HK: 'hk-tzh', JP: 'jp-jp', KR: 'kr-kr', SA: 'xa-ar', SI: 'sl-sl', TW: 'tw-tzh' },
}

export function regionOf(country: string | undefined, language: string | undefined): string | undefined {
  const countryCode = country ?? findMainCountry(language)
  if (countryCode === undefined) return undefined
  const [defaultLanguage, ...otherLanguages] = regions.get(countryCode) ?? []
  if (defaultLanguage === undefined) return regionNames[countryCode]
  return `${countryCode.toLowerCase()}-${otherLanguages.find((other) => other === language) ?? defaultLanguage}`
}

function findMainCountry(language: string | undefined): string | undefined {
  if (language === undefined || !/^[a-z]{2,3}$/.test(language)) return undefined
  const countryCode = new Intl.Locale(language).maximize().region
  // Excludes a region that would search in another language.
  const isSupported =
    countryCode !== undefined && (countryCode in regionNames || regions.get(countryCode)?.includes(language))
  return isSupported ? countryCode : undefined
}

export const duckduckgo: SearchProvider = {
  name: 'duckduckgo',
  description: 'The web, by the page of results that DuckDuckGo has for browsers without scripts.',
  serves: ['web'],
  base: 'https://html.duckduckgo.com',
  requires: 'nothing',
  abilities: { dialect: webDialect, dates: 'recent', country: true, language: true },
  pauseMs: 2000,
  maxResults: 10,
  call(request, { base }) {
    const url = buildCallUrl({ base }, '/html/')
    const { language, country } = request
    const locale = country === undefined ? language : `${language}-${country},${language};q=0.9`
    return {
      method: 'POST',
      url,
      headers: {
        accept: 'text/html',
        'content-type': 'application/x-www-form-urlencoded',
        referer: `${url.origin}/`,
        ...(language === undefined || locale === undefined ? {} : { 'accept-language': locale }),
      },
      body: String(buildForm(request)),
    }
  },
  read(response) {
    throwForStatus(response, 'DuckDuckGo')
    const tree = parseHtml(response.body, { maxNodes: 200_000 })
    if (isChallenge(tree))
      throw new ProviderFailure('blocked', 'DuckDuckGo wants proof of a human before it answers this address')
    const nodes = findByClass(tree, root, 'result')
    const results = normalizeResults(nodes.flatMap((node) => readResult(tree, node)))
    if (results.length === 0 && !statesNoResults(tree))
      throw new ProviderFailure('changed', 'DuckDuckGo answered with a page whose results are not found')
    return results
  },
}

function buildForm({ query, range, now, country, language, isSafe }: ProviderRequest): URLSearchParams {
  const form = new URLSearchParams({ q: prepareQuery(writeQuery(query, webDialect).text), b: '' })
  form.set('kl', regionOf(country, language) ?? 'wt-wt')
  const span = findRecentSpan(range, now)
  if (span !== undefined) form.set('df', span.slice(0, 1))
  if (isSafe !== undefined) form.set('kp', isSafe ? '1' : '-2')
  return form
}

/** A word with an exclamation mark would send the search to another site. 500 or more characters are rejected. */
function prepareQuery(text: string): string {
  const words = text
    .split(' ')
    .map((word) => (/^[!\\]|!$/.test(word) ? word.replace(/[!\\]/g, '') : word))
    .filter((word) => word !== '')
  return truncateQuery(words.join(' '), 499)
}

function isChallenge(tree: Tree): boolean {
  for (let node = root + 1; node < tree.count; node += 1) {
    if (isText(tree, node)) continue
    if (attributeNamed(tree, node, 'id') === 'challenge-form') return true
    if (classesOf(tree, node).some((name) => name.startsWith('anomaly-modal'))) return true
  }
  return false
}

function readResult(tree: Tree, node: Node): RawResult[] {
  const classes = classesOf(tree, node)
  if (classes.includes('result--ad') || classes.includes('result--no-result')) return []
  const [link] = findByClass(tree, node, 'result__a')
  if (link === undefined) return []
  const url = resolveRedirect(attributeNamed(tree, link, 'href') ?? '')
  const textOfClass = (name: string) => {
    const [match = none] = findByClass(tree, node, name)
    return match === none ? '' : textOf(tree, match)
  }
  const [date] = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(textOfClass('result__extras__url')) ?? []
  return [
    {
      ...{ url, title: textOf(tree, link), text: textOfClass('result__snippet') },
      publishedAt: date === undefined ? undefined : dateOf(`${date}Z`),
    },
  ]
}

/** Returns the target of a redirect; undefined for an advertisement, whose redirect counts clicks. */
function resolveRedirect(href: string): string | undefined {
  const url = URL.parse(href, 'https://duckduckgo.com')
  const isOwn = url?.hostname === 'duckduckgo.com' || url?.hostname.endsWith('.duckduckgo.com')
  if (!url || (isOwn && url.pathname === '/y.js')) return undefined
  if (!isOwn || url.pathname !== '/l/') return url.href
  return resolveRedirect(url.searchParams.get('uddg') ?? '')
}

function statesNoResults(tree: Tree): boolean {
  for (let node = root + 1; node < tree.count; node += 1) {
    if (!isText(tree, node)) {
      const classes = classesOf(tree, node)
      if (classes.includes('no-results') || classes.includes('result--no-result')) return true
    } else if (/^\s{0,100}No\s{1,10}results\b/i.test(textAt(tree, node))) {
      if (tagName(tree, parentOf(tree, node)) !== 'title') return true
    }
  }
  return false
}

/** Leaves out nodes inside another node of the class, so that no text is read twice. */
function findByClass(tree: Tree, within: Node, name: string): Node[] {
  const nodes: Node[] = []
  const end = endOf(tree, within)
  for (let node = within + 1; node < end; node += 1) {
    if (isText(tree, node) || !classesOf(tree, node).includes(name)) continue
    nodes.push(node)
    node = endOf(tree, node) - 1
  }
  return nodes
}

const classesOf = (tree: Tree, node: Node) => classOf(tree, node)?.split(/\s+/) ?? []
