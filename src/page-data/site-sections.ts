/** The part of a site that a topic names, as patterns for paths. */
export interface SectionMatch {
  patterns: string[]
}

/**
 * A topic such as "blog", "/docs/api" or "PDF files" → patterns for paths. A topic must be seen on the site, unless it
 * is written as a path. Undefined: nothing on the site answers to it.
 */
export function sectionsFor(topic: string, seenPaths: readonly string[]): SectionMatch | undefined {
  const written = /(?:^|\s)(\/[\w%.~-]+(?:\/[\w%.~-]+)*)\/?\*?(?:\s|$)/.exec(topic)?.[1]
  if (written !== undefined) return { patterns: [sectionPattern(written)] }
  const extension = fileKinds.get(singular(topic.replace(/ (?:file|document)s?$/, '')))
  if (extension !== undefined) return { patterns: [`\\.${extension}$`] }
  const words = (topic.match(/[\p{L}\p{N}]+/gu) ?? []).map(singular)
  const year = words.find((word) => /^(?:19|20)\d\d$/.test(word))
  const named = words.filter((word) => word !== year)
  const sections = named.length === 0 ? [] : findSections(named, seenPaths)
  if (named.length > 0 && sections.length === 0) return undefined
  if (year === undefined) return { patterns: sections.map(sectionPattern) }
  if (!seenPaths.some((path) => path.includes(year))) return undefined
  return {
    patterns:
      sections.length === 0
        ? [`/${year}(?:/|$)`]
        : sections.map((section) => `^${escaped(section)}/.*${year}`),
  }
}

const mostSections = 5

/** The shortest seen paths whose last part is the topic, or one of its other names. */
function findSections(words: string[], seenPaths: readonly string[]): string[] {
  const found = new Set<string>()
  for (const names of [[words.join('')], ...words.map((word) => [word]), others(words)]) {
    for (const path of seenPaths) {
      const section = sectionIn(path, names)
      if (section !== undefined) found.add(section)
    }
    if (found.size > 0) break
  }
  const shortest = [...found].sort((left, right) => left.length - right.length)
  // A section inside another one that is taken already adds nothing.
  return shortest
    .filter((section) => !shortest.some((other) => other !== section && section.startsWith(`${other}/`)))
    .slice(0, mostSections)
}

function sectionIn(path: string, names: string[]): string | undefined {
  const segments = path.split('/')
  for (const [index, segment] of segments.entries()) {
    const bare = singular(segment.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
    if (bare !== '' && names.includes(bare)) return segments.slice(0, index + 1).join('/')
  }
  return undefined
}

/** Other names under which sites put the same thing. */
const synonyms = [
  ['doc', 'documentation', 'manual', 'guide', 'help'],
  ['blog', 'post', 'article', 'new', 'stori', 'blogpost'],
  ['product', 'shop', 'item', 'store', 'catalogue', 'catalog'],
  ['career', 'job', 'vacanci'],
  ['pricing', 'price', 'plan'],
  ['support', 'help', 'faq'],
  ['legal', 'term', 'privacy', 'imprint'],
  ['english', 'en'],
  ['german', 'de'],
  ['french', 'fr'],
  ['spanish', 'es'],
  ['japanese', 'ja', 'jp'],
]

function others(words: string[]): string[] {
  return synonyms.filter((names) => words.some((word) => names.includes(word))).flat()
}

const fileKinds = new Map([
  ['pdf', 'pdf'],
  ['word', 'docx?'],
  ['docx', 'docx'],
  ['excel', 'xlsx?'],
  ['xlsx', 'xlsx'],
])

function sectionPattern(section: string): string {
  return `^${escaped(section)}(?:/|$)`
}

function escaped(text: string): string {
  return text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')
}

function singular(word: string): string {
  return word.length > 3 ? word.replace(/ies$/, 'i').replace(/(?<!s)s$/, '') : word
}
