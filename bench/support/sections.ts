/** Returns true if a path of an answer refers to this section or reference page. */
export function isSection(reference: string, expected: string): boolean {
  // References contain method and path, with different surrounding texts.
  if (isReference(expected))
    return new RegExp(`${escapeRegExp(expected)}(?![\\w/{-])`, 'i').test(resolvePointer(reference))
  const path = reference.replace(/^(?:\.?\/|https?:\/\/[^/]+\/)/, '').toLowerCase()
  // If the expected path is a complete file, any of its sections is right.
  return (expected.includes('#') ? path : path.replace(/#.*$/, '')) === expected.toLowerCase()
}

/** Converts a JSON pointer such as `docs/openapi.json#/paths/~1v2~1map/post` to `POST /v2/map`. */
function resolvePointer(reference: string): string {
  const [, path, method] = /#\/paths\/([^/]+)\/(\w+)/.exec(reference) ?? []
  if (path === undefined || method === undefined) return reference
  return `${method.toUpperCase()} ${path.replaceAll('~1', '/').replaceAll('~0', '~')}`
}

export const isReference = (expected: string) => /^[A-Z]+ \//.test(expected)

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

/** Returns the anchors of the headings of a Markdown file, in the format of GitHub. */
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
