/**
 * Keys that existing clients send by themselves and that mean nothing here. They are taken out before validation,
 * so that strict schemas stay strict, and named in `warning`, so that nobody believes they did something.
 */
const tolerated = new Set([
  'threatProtection',
  'auditMetadata',
  'useMock',
  'safeMode',
  'domainTools',
  'toolDetail',
  'lang',
  'filter',
  'safe',
  'highlights',
])

export function takeOutTolerated(
  body: unknown,
  known: ReadonlySet<string>,
): { body: unknown; ignored: string[] } {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return { body, ignored: [] }
  const ignored: string[] = []
  for (const name in body) if (!known.has(name) && isTolerated(name)) ignored.push(name)
  if (ignored.length === 0) return { body, ignored }
  const names = new Set(ignored)
  return { body: Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name))), ignored }
}

function isTolerated(name: string): boolean {
  return tolerated.has(name) || name.startsWith('__')
}
