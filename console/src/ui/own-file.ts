/** Returns the path of a file that this service stores, or a data URL of an image. Other URLs are not loaded. */
export function toServiceFileUrl(url: string): string | undefined {
  if (url.startsWith('data:image/')) return url
  try {
    const { pathname, search } = new URL(url, location.origin)
    return pathname.startsWith('/v2/files/') ? pathname + search : undefined
  } catch {
    return undefined
  }
}
