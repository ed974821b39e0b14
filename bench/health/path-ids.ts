/** Prefixes of paths with an id, and the name of the id. In other paths, the name is the part after the version. */
const idNames: [RegExp, string][] = [
  [/^\/v2\/agent\/threads\//, 'agent'],
  [/^\/v2\/(?:browser|interact)\/profiles\//, 'profile'],
  [/^\/v2\/(?:browser|interact)\//, 'session'],
  [/^\/v2\/jobs\//, 'crawl'],
  [/^\/v2\/operator\/keys\//, 'key'],
  [/^\/v2\/operator\/teams\//, 'team'],
  [/^\/v2\/search\/research\//, 'paper'],
  [/^\/v2\/team\/tracked-pages\//, 'tracked'],
  [/^\/v2\/webhooks\//, 'delivery'],
]
/** Names of the ids that body fields contain. */
const idNameByField: Record<string, string> = {
  ...{ id: 'crawl', jobId: 'scrape', scrapeId: 'scrape', sessionId: 'session', teamId: 'team' },
}

type Ids = Record<string, string>

/** Returns the name of the id in a path. */
export function getIdName(path: string): string {
  return idNames.find(([prefix]) => prefix.test(path))?.[1] ?? path.split('/')[2] ?? ''
}

const unknownId = '00000000-0000-7000-8000-000000000000'

/** Replaces names in braces in a path by real ids. */
export function withIds(path: string, ids: Ids): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? ids[getIdName(path)] ?? unknownId)
}

/** Replaces the values of id fields in a body by real ids. */
export function withIdsInside(json: string, ids: Ids): string {
  const withUris = json.replace(/winnow:\/\/\w+\/\{(\w+)\}/g, (uri, name) =>
    uri.replace(/\{\w+\}/, ids[name] ?? unknownId),
  )
  return withUris.replace(/"(\w{0,7}[iI]d)":"[^"\\]*"/g, (match, field) => {
    const id = ids[idNameByField[field] ?? '']
    return id === undefined ? match : `"${field}":"${id}"`
  })
}
