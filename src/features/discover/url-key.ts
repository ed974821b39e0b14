import { hashRoute } from '../../platform/url.ts'

interface UrlEquivalence {
  /** True if http and https, www, trailing slashes and index files make no difference. */
  similar: boolean
  withoutQuery: boolean
}

/** The key does not depend on positions on a page, the order of parameters, tracking parameters and session ids. */
export function urlKey(url: URL, equivalence: UrlEquivalence): string {
  const query = equivalence.withoutQuery ? '' : queryKey(url)
  const path = removeSessionId(url.pathname)
  const route = routeKey(url, equivalence)
  if (!equivalence.similar) return `${url.protocol}//${url.host}${path}${query}${route}`
  return `${url.host.replace(/^www\d?\./, '')}${similarPath(path)}${query}${route}`
}

export function cleanUrl(url: URL): URL {
  const copy = new URL(url)
  copy.hash = hashRoute(url) ?? ''
  copy.username = ''
  copy.password = ''
  if (copy.search !== '' && trackerPattern.test(copy.search)) {
    const remaining = splitParameters(copy)?.filter((text) => !isTracker(getParameterName(text)))
    if (remaining) copy.search = remaining.join('&')
  }
  return copy
}

/** Returns the route in the fragment, in which single-page applications put the path of a page. */
function routeKey(url: URL, { similar, withoutQuery }: UrlEquivalence): string {
  const route = hashRoute(url) ?? ''
  const path = withoutQuery ? route.replace(/\?.*$/, '') : route
  return similar ? path.replace(/(?<!\/)\/+(?=\?|$)/, '') : path
}

function similarPath(path: string): string {
  const folder = path.replace(/\/(?:index|default)\.(?:html?|php\d?|aspx?|jsp|cfm|shtml)$/i, '/')
  return folder.replaceAll(/\/{2,}/g, '/').replace(/\/$/, '')
}

/** Removes session ids from the path, where Java and older servers put them. */
function removeSessionId(path: string): string {
  return path.includes(';') ? path.replaceAll(/;(?:jsessionid|phpsessid|sid|sessionid)=[^/;?]*/gi, '') : path
}

function queryKey(url: URL): string {
  if (url.search.length < 2) return ''
  const remaining = splitParameters(url)?.filter(
    (text) => !isTracker(getParameterName(text)) && !isSessionId(text),
  )
  if (!remaining) return url.search
  return remaining.length === 0 ? '' : `?${remaining.sort().join('&')}`
}

/** Sites do not write more parameters, but 8,192 characters can contain 4,000. */
const maxParameters = 200

function splitParameters(url: URL): string[] | undefined {
  const parameters = url.search.slice(1).split('&', maxParameters + 1)
  return parameters.length > maxParameters ? undefined : parameters.filter((text) => text !== '')
}

const getParameterName = (parameter: string) => (parameter.split('=', 1)[0] ?? '').toLowerCase()

const trackerPattern =
  /[?&](?:utm_|mtm_|pk_|piwik_|hsa_|matomo_|fbclid|gclid|dclid|gbraid|wbraid|msclkid|yclid|twclid|ttclid|igshid|mc_cid|mc_eid|_ga|_gl|_hsenc|_hsmi|mkt_tok|vero_id|oly_|wickedid|s_cid|srsltid|ysclid)/i

const isTracker = (name: string) => trackerPattern.test(`?${name}`)

/** A session id has an unambiguous name, or a common name and a machine-generated value. */
function isSessionId(parameter: string): boolean {
  const name = getParameterName(parameter)
  if (/^(?:phpsessid|jsessionid|aspsessionid\w*|cfid|cftoken|zenid|oscsid)$/.test(name)) return true
  return /^(?:s|sid|sess|sessid|session|sessionid|session_id)$/.test(name) && /=[\w-]{16,}$/.test(parameter)
}
