/**
 * Fills in the parameters of an API path: `apiPath('/v2/jobs/{id}/trace', { id })`. Each value becomes exactly one
 * segment. Throws a TypeError for an empty value, "." and "..": URL parsers resolve dot segments, so the call would
 * reach another path.
 */
export function apiPath(template: string, parameters: Record<string, string>): string {
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = parameters[name] ?? ''
    if (!isPathSegment(value))
      throw new TypeError(`"${value}" is not valid as ${name}. Pass the ${name} that the API returned.`)
    return encodeURIComponent(value.replace(/\p{Surrogate}/gu, '\uFFFD'))
  })
}

/** True if a value can be one segment of a path. */
export function isPathSegment(value: string): boolean {
  return value !== '' && value !== '.' && value !== '..'
}

/**
 * Resolves an API path. Throws if the URL parser would change it, because then a value was inserted without `apiPath`.
 */
export function apiUrl(baseUrl: string, path: string): URL {
  const url = new URL(baseUrl + path)
  const base = new URL(baseUrl).pathname.replace(/\/+$/, '')
  if (url.pathname !== base + path || url.origin !== new URL(baseUrl).origin)
    throw new TypeError(
      'The path of the call is not valid: an id in it is missing, or has characters that an id never has.',
    )
  return url
}
