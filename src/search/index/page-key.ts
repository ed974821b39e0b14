/** What a page is known by in the index: http and https, `www.`, a slash at the end and places on a page are one. */
export function pageKey(address: string): string {
  const url = URL.parse(address)
  if (!url) return address
  const path = url.pathname.replace(/\/(?:index\.html?)?$/, '')
  return `${url.host.replace(/^www\./, '')}${path}${url.search}`
}
