/** How paths with an id begin, and what the id is called. The others name it after the version. */
const names: [RegExp, string][] = [
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
/** What fields of bodies hold that name something. */
const fields: Record<string, string> = {
  ...{ id: 'crawl', jobId: 'scrape', scrapeId: 'scrape', sessionId: 'session', teamId: 'team' },
}

type Ids = Record<string, string>

/** What the id in a path is called. */
export function idName(path: string): string {
  return names.find(([begin]) => begin.test(path))?.[1] ?? path.split('/')[2] ?? ''
}

const unknownId = '00000000-0000-7000-8000-000000000000'

/** Puts real ids where a path has names in braces. */
export function withIds(path: string, ids: Ids): string {
  return path.replace(/\{(\w+)\}/g, (_, name) => ids[name] ?? ids[idName(path)] ?? unknownId)
}

/** Puts real ids into the fields of a body that name something, whatever stands there. */
export function withIdsInside(json: string, ids: Ids): string {
  const named = json.replace(/winnow:\/\/\w+\/\{(\w+)\}/g, (uri, name) =>
    uri.replace(/\{\w+\}/, ids[name] ?? unknownId),
  )
  return named.replace(/"(\w{0,7}[iI]d)":"[^"\\]*"/g, (whole, field) => {
    const id = ids[fields[field] ?? '']
    return id === undefined ? whole : `"${field}":"${id}"`
  })
}
