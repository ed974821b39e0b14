/** The key of a page: http and https, `www.`, a slash at the end and a fragment make no difference. */
export function pageKey(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  const path = url.pathname.replace(/\/(?:index\.html?)?$/, '')
  return `${url.host.replace(/^www\./, '')}${path}${url.search}`
}
