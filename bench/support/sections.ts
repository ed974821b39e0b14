/** Whether what an answer names is this section or page of the reference. */
export function isSection(named: string, right: string): boolean {
  // A page of the reference is written in several ways around its method and path.
  if (isReference(right)) return new RegExp(`${escaped(right)}(?![\\w/{-])`, 'i').test(pointedTo(named))
  const path = named.replace(/^(?:\.?\/|https?:\/\/[^/]+\/)/, '').toLowerCase()
  // One that names a whole file is right with any of its sections.
  return (right.includes('#') ? path : path.replace(/#.*$/, '')) === right.toLowerCase()
}

/** `docs/openapi.json#/paths/~1v2~1map/post` is the page of `POST /v2/map`. */
function pointedTo(named: string): string {
  const [, path, method] = /#\/paths\/([^/]+)\/(\w+)/.exec(named) ?? []
  if (path === undefined || method === undefined) return named
  return `${method.toUpperCase()} ${path.replaceAll('~1', '/').replaceAll('~0', '~')}`
}

export const isReference = (right: string) => /^[A-Z]+ \//.test(right)

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Anchors of the headings of a Markdown file, as GitHub makes them. */
export function anchorsOf(markdown: string): string[] {
  const outsideCode = markdown.replace(/^```[\s\S]*?^```/gm, '')
  return [...outsideCode.matchAll(/^#{1,6} (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .trim()
      .replaceAll(' ', '-'),
  )
}
