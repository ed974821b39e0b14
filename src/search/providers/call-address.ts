import { ProviderFailure, type ProviderPlace } from './provider.ts'

/** The address of a call: a path below the base, and the parameters that have a value. */
export function callAddress(
  { base }: ProviderPlace,
  path: string,
  parameters: Record<string, string | number | undefined> = {},
): URL {
  // Appended, not resolved: an operator may have put the service under a path of a host.
  const url = webAddress(`${base.replace(/\/$/, '')}${path}`)
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, String(value))
  }
  return url
}

/** Throws where the operator's address is none. */
export function webAddress(address: string): URL {
  const url = URL.parse(address)
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url
  throw new ProviderFailure('failed', 'The address of the search provider is not an http or https address')
}

export function neededKey({ key = '' }: ProviderPlace, name: string): string {
  if (key !== '') return key
  throw new ProviderFailure('unauthorized', `${name} needs a key`)
}
