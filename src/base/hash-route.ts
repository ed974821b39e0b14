/**
 * The page that an address names in its fragment, as sites do that are one page to their server: "#/guide", "#!/guide". Undefined
 * where the fragment is a place on a page, or names the first page, which is drawn without it as well. Places on the page of
 * a route are left out: "#/guide?id=section" and "#/guide#section" are "#/guide".
 */
export function hashRoute({ hash }: Pick<URL, 'hash'>): string | undefined {
  if (hash[1] !== '/' && hash[1] !== '!') return undefined
  const end = hash.indexOf('#', 1)
  const [path = '', query = ''] = splitOnce(end < 0 ? hash : hash.slice(0, end), '?')
  const kept = query.split('&').filter((parameter) => parameter !== '' && !isPlace(parameter))
  if (kept.length === 0) return /^#!?\/*$/.test(path) ? undefined : path
  return `${path}?${kept.join('&')}`
}

/**
 * Docsify names headings so, and puts a sign before those that begin with a digit: a number is the id of a record, and so is what only
 * a machine would choose.
 */
function isPlace(parameter: string): boolean {
  return parameter.startsWith('id=') && !/^id=(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27})$/i.test(parameter)
}

function splitOnce(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
