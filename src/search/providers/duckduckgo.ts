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
import { buildCallUrl, recentSpan, truncateQuery } from './calls.ts'
import { normalizeResults, type Said } from './normalize-results.ts'
import { ProviderFailure, type ProviderRequest, type SearchProvider } from './provider.ts'
import { dateOf, throwForStatus } from './read-response.ts'

/** The regions of DuckDuckGo: a country, and the languages that it has there. The first is the usual one. */
const regions = new Map(
  (
    'AR:es AU:en AT:de BE:fr,nl BR:pt BG:bg CA:en,fr CL:es CN:zh CO:es HR:hr CZ:cs DK:da EE:et FI:fi FR:fr DE:de GR:el ' +
    'HU:hu IS:is IN:en ID:en IE:en IL:en IT:it LV:lv LT:lt MY:en MX:es NL:nl NZ:en NO:no PK:en PE:es PH:en PL:pl PT:pt ' +
    'RO:ro RU:ru SG:en SK:sk ZA:en ES:es,ca SE:sv CH:de,fr TH:en TR:tr US:en,es UA:uk VN:en'
  )
    .split(' ')
    .map((entry): [string, string[]] => [entry.slice(0, 2), entry.slice(3).split(',')]),
)

/** Regions that are not named by the codes of a country and a language. */
const otherNames: Record<string, string> = {
  GB: 'uk-en',
  HK: 'hk-tzh',
  JP: 'jp-jp',
  KR: 'kr-kr',
  SA: 'xa-ar',
  SI: 'sl-sl',
  TW: 'tw-tzh',
}

/** Undefined for a country that has no region. Without a country it is the one where most speak the language. */
export function regionOf(country: string | undefined, language: string | undefined): string | undefined {
  const place = country ?? maxSpokenIn(language)
  if (place === undefined) return undefined
  const [usual, ...others] = regions.get(place) ?? []
  if (usual === undefined) return otherNames[place]
  return `${place.toLowerCase()}-${others.find((other) => other === language) ?? usual}`
}

function maxSpokenIn(language: string | undefined): string | undefined {
  if (language === undefined || !/^[a-z]{2,3}$/.test(language)) return undefined
  const place = new Intl.Locale(language).maximize().region
  // Not where it is another language that the region would ask for.
  const has = place !== undefined && (place in otherNames || regions.get(place)?.includes(language))
  return has ? place : undefined
}

export const duckduckgo: SearchProvider = {
  name: 'duckduckgo',
  description: 'The web, by the page of results that DuckDuckGo has for browsers without scripts.',
  serves: ['web'],
  base: 'https://html.duckduckgo.com',
  requires: 'nothing',
  abilities: {
    dialect: webDialect,
    ...{ dates: 'recent', sortsByDate: false, country: true, language: true, location: false },
  },
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
      body: String(formOf(request)),
    }
  },
  read(answer) {
    throwForStatus(answer, 'DuckDuckGo')
    const tree = parseHtml(answer.body, { maxNodes: 200_000 })
    if (isChallenge(tree))
      throw new ProviderFailure('blocked', 'DuckDuckGo wants proof of a human before it answers this address')
    const results = normalizeResults(nodesOfClass(tree, root, 'result').flatMap((node) => saidBy(tree, node)))
    if (results.length === 0 && !saysNone(tree))
      throw new ProviderFailure('changed', 'DuckDuckGo answered with a page whose results are not found')
    return results
  },
}

function formOf({ query, range, now, country, language, isSafe }: ProviderRequest): URLSearchParams {
  const form = new URLSearchParams({ q: wordsOf(writeQuery(query, webDialect).text), b: '' })
  form.set('kl', regionOf(country, language) ?? 'wt-wt')
  const span = recentSpan(range, now, ['day', 'week', 'month', 'year'])
  if (span !== undefined) form.set('df', span.slice(0, 1))
  if (isSafe !== undefined) form.set('kp', isSafe ? '1' : '-2')
  return form
}

/** A word with an exclamation mark sends the search to another site. From 500 characters on it is refused. */
function wordsOf(text: string): string {
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

function saidBy(tree: Tree, node: Node): Said[] {
  const classes = classesOf(tree, node)
  if (classes.includes('result--ad') || classes.includes('result--no-result')) return []
  const [link] = nodesOfClass(tree, node, 'result__a')
  if (link === undefined) return []
  const url = targetOf(attributeNamed(tree, link, 'href') ?? '')
  const textOfClass = (name: string) => {
    const [found = none] = nodesOfClass(tree, node, name)
    return found === none ? '' : textOf(tree, found)
  }
  const [date] = /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/.exec(textOfClass('result__extras__url')) ?? []
  return [
    {
      url,
      title: textOf(tree, link),
      text: textOfClass('result__snippet'),
      publishedAt: date === undefined ? undefined : dateOf(`${date}Z`),
    },
  ]
}

/** Where a redirect leads; undefined for an advertisement, which is counted on its way. */
function targetOf(address: string): string | undefined {
  const url = URL.parse(address, 'https://duckduckgo.com')
  const isOwn = url?.hostname === 'duckduckgo.com' || url?.hostname.endsWith('.duckduckgo.com')
  if (!url || (isOwn && url.pathname === '/y.js')) return undefined
  if (!isOwn || url.pathname !== '/l/') return url.href
  return targetOf(url.searchParams.get('uddg') ?? '')
}

/** Whether the page says in words or by a class that nothing was found. The title repeats the query and says nothing. */
function saysNone(tree: Tree): boolean {
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

/** Without those inside another of them, so that no text is read twice. */
function nodesOfClass(tree: Tree, within: Node, name: string): Node[] {
  const nodes: Node[] = []
  const end = endOf(tree, within)
  for (let node = within + 1; node < end; node += 1) {
    if (isText(tree, node) || !classesOf(tree, node).includes(name)) continue
    nodes.push(node)
    node = endOf(tree, node) - 1
  }
  return nodes
}

function classesOf(tree: Tree, node: Node): string[] {
  return classOf(tree, node)?.split(/\s+/) ?? []
}
