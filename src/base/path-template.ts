/** The number of path segments that decide the kind of page. */
const mostSegments = 4
const mostNames = 10

/**
 * The kind of page of a URL, by the first segments of its path: placeholders replace numbers and titles, and, below a
 * folder, also the name of the page.
 */
export function pathTemplate(url: URL): string {
  const segments = url.pathname.split('/').slice(1)
  const shown = segments.slice(0, mostSegments).map(anySegment)
  if (segments.length > mostSegments) shown.push('*')
  else if (segments.length > 1 && shown.at(-1) !== '') shown[shown.length - 1] = `*${extensionOf(segments)}`
  return `${url.host}/${shown.join('/')}?${parameterNames(url).slice(0, mostNames).join('&')}`
}

/** A path segment without the parts that differ between pages of one kind. */
export function anySegment(segment: string): string {
  return segment.length > 20 || /[-_]/.test(segment) ? '*' : segment.replaceAll(/\d+/g, '#')
}

export function parameterNames(url: URL): string[] {
  return [...new Set(url.searchParams.keys())].sort()
}

function extensionOf(segments: string[]): string {
  return /\.[a-z]{1,5}$/i.exec(segments.at(-1) ?? '')?.[0].toLowerCase() ?? ''
}
