/** The path of a file that the service keeps. Whatever else a document names is not loaded. */
export function ownFile(address: string): string | undefined {
  if (address.startsWith('data:image/')) return address
  try {
    const { pathname, search } = new URL(address, location.origin)
    return pathname.startsWith('/v2/files/') ? pathname + search : undefined
  } catch {
    return undefined
  }
}
