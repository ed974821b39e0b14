import { hashRoute } from '../../platform/url.ts'

/** How far two addresses may differ and still name one page. */
export interface UrlEquivalence {
  /** http and https, www, slashes at the end and index files make no difference. */
  similar: boolean
  /** The query makes no difference. */
  withoutQuery: boolean
}

/**
 * What a page is known by: two addresses with one key are one page. Places on a page, the order of parameters, parameters that
 * only track where a visitor came from, and ids of visits never make a difference.
 */
export function urlKey(url: URL, likeness: UrlEquivalence): string {
  const query = likeness.withoutQuery ? '' : queryKey(url)
  const path = withoutVisit(url.pathname)
  const route = routeKey(url, likeness)
  if (!likeness.similar) return `${url.protocol}//${url.host}${path}${query}${route}`
  return `${url.host.replace(/^www\d?\./, '')}${similarPath(path)}${query}${route}`
}

/** The address as it is asked for: what only tracks is left out, the rest stands as it was written. */
export function cleanUrl(url: URL): URL {
  const copy = new URL(url)
  copy.hash = hashRoute(url) ?? ''
  copy.username = ''
  copy.password = ''
  if (copy.search !== '' && trackers.test(copy.search)) {
    const kept = parameters(copy)?.filter((text) => !isTracker(nameOf(text)))
    if (kept) copy.search = kept.join('&')
  }
  return copy
}

/** Sites that are one page to their server name their pages in the fragment. */
function routeKey(url: URL, { similar, withoutQuery }: UrlEquivalence): string {
  const route = hashRoute(url) ?? ''
  const bare = withoutQuery ? route.replace(/\?.*$/, '') : route
  return similar ? bare.replace(/(?<!\/)\/+(?=\?|$)/, '') : bare
}

function similarPath(path: string): string {
  const folder = path.replace(/\/(?:index|default)\.(?:html?|php\d?|aspx?|jsp|cfm|shtml)$/i, '/')
  return folder.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')
}

/** Java and older servers put the id of a visit into the path. */
function withoutVisit(path: string): string {
  return path.includes(';') ? path.replaceAll(/;(?:jsessionid|phpsessid|sid|sessionid)=[^/;?]*/gi, '') : path
}

function queryKey(url: URL): string {
  if (url.search.length < 2) return ''
  const kept = parameters(url)?.filter((text) => !isTracker(nameOf(text)) && !isVisit(text))
  if (!kept) return url.search
  return kept.length === 0 ? '' : `?${kept.sort().join('&')}`
}

/** A query with more than these was written by no site; 8,192 characters have room for 4,000. */
const maxParameters = 200

/** The parameters of the query; undefined if there are too many to look at each. */
function parameters(url: URL): string[] | undefined {
  const found = url.search.slice(1).split('&', maxParameters + 1)
  return found.length > maxParameters ? undefined : found.filter((text) => text !== '')
}

function nameOf(parameter: string): string {
  return (parameter.split('=', 1)[0] ?? '').toLowerCase()
}

const trackers =
  /[?&](?:utm_|mtm_|pk_|piwik_|hsa_|matomo_|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_|wickedid|s_cid|srsltid|ysclid)/i

function isTracker(name: string): boolean {
  return trackers.test(`?${name}`)
}

/** Ids of visits: by a name that means nothing else, or by a common name and a value that only a machine would choose. */
function isVisit(parameter: string): boolean {
  const name = nameOf(parameter)
  if (/^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|zenid|oscsid)$/.test(name)) return true
  return /^(?:s|sid|sess|sessid|session|sessionid|session_id)$/.test(name) && /=[\w-]{16,}$/.test(parameter)
}
