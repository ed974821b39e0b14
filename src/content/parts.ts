import type { Content } from './content.ts'

/** Parts of a content that are plain data, so that another thread can make them and hand them over. */
export type ContentPart = 'metadata' | 'markdown' | 'html' | 'links' | 'images' | 'tree' | 'base'

export type MadeParts = {
  [Part in ContentPart]?: {
    value: ReturnType<Content[Part]>
    /** What the content had to say when the part was made. */
    warnings: string[]
  }
}

export function makeParts(content: Content, parts: readonly ContentPart[]): MadeParts {
  const made = parts.map((part) => [part, { value: content[part](), warnings: content.warnings() }])
  // Each name stands beside what the content made under it.
  return Object.fromEntries(made) as MadeParts
}

/** The same content with parts that were made elsewhere; it warns of a part when that is asked for. */
export function withParts(content: Content, made: MadeParts): Content {
  const warnings = new Set<string>()
  const part = <Name extends ContentPart>(name: Name): Content[Name] | (() => ReturnType<Content[Name]>) => {
    const found = made[name]
    if (!found) return content[name]
    return () => {
      for (const warning of found.warnings) warnings.add(warning)
      return found.value
    }
  }
  return {
    rawHtml: content.rawHtml,
    metadata: part('metadata'),
    markdown: part('markdown'),
    html: part('html'),
    links: part('links'),
    images: part('images'),
    tree: part('tree'),
    base: part('base'),
    warnings: () => [...new Set([...warnings, ...content.warnings()])],
  }
}
