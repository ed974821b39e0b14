/**
 * The page that a URL names in its fragment, as single-page sites do: "#/guide", "#!/guide". Undefined
 * if the fragment is an anchor, or names the first page, which also renders without it. Anchors within a route
 * are removed: "#/guide?id=section" and "#/guide#section" become "#/guide".
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
 * Docsify uses this parameter for headings, with an underscore before those that begin with a digit. So a plain number or a UUID
 * is the id of a record instead.
 */
function isPlace(parameter: string): boolean {
  return parameter.startsWith('id=') && !/^id=(?:\d+|[0-9a-f]{8}-[0-9a-f-]{27})$/i.test(parameter)
}

function splitOnce(text: string, sign: string): [string, string] {
  const at = text.indexOf(sign)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}
