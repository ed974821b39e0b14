/** The part of a site that a topic names, as patterns for paths. */
export interface SectionMatch {
  patterns: string[]
}

/** The sections of a site by their bare names, built once for all topics of a prompt. */
interface SiteSections {
  paths: readonly string[]
  byName: ReadonlyMap<string, ReadonlySet<string>>
}

/** Sections below that are not named by people. */
const deepestSection = 20

export function siteSections(paths: readonly string[]): SiteSections {
  const byName = new Map<string, Set<string>>()
  for (const path of paths) {
    const segments = path.split('/', deepestSection)
    for (const [index, segment] of segments.entries()) {
      const name = singular(segment.toLowerCase().replaceAll(/[^\p{L}\p{N}]/gu, ''))
      if (name === '') continue
      const known = byName.get(name) ?? new Set()
      byName.set(name, known.add(segments.slice(0, index + 1).join('/')))
    }
  }
  return { paths, byName }
}

/**
 * A topic such as "blog", "/docs/api" or "PDF files" → patterns for paths. A topic must be seen on the site, unless it
 * is written as a path. Undefined: nothing on the site answers to it.
 */
export function sectionsFor(topic: string, site: SiteSections): SectionMatch | undefined {
  const written = /(?:^|\s)(\/[\w%.~-]+(?:\/[\w%.~-]+)*)\/?\*?(?:\s|$)/.exec(topic)?.[1]
  if (written !== undefined) return { patterns: [sectionPattern(written)] }
  const extension = fileKinds.get(singular(topic.replace(/ (?:file|document)s?$/, '')))
  if (extension !== undefined) return { patterns: [`\\.${extension}$`] }
  const words = (topic.match(/[\p{L}\p{N}]+/gu) ?? []).map(singular)
  const year = words.find((word) => /^(?:19|20)\d\d$/.test(word))
  const named = words.filter((word) => word !== year)
  const sections = named.length === 0 ? [] : findSections(named, site)
  if (named.length > 0 && sections.length === 0) return undefined
  if (year === undefined) return { patterns: sections.map(sectionPattern) }
  if (!site.paths.some((path) => path.includes(year))) return undefined
  return {
    patterns:
      sections.length === 0
        ? [`/${year}(?:/|$)`]
        : sections.map((section) => `^${escaped(section)}/.*${year}`),
  }
}

const mostSections = 5

/** The shortest seen paths whose last part is the topic, or one of its other names. */
function findSections(words: string[], { byName }: SiteSections): string[] {
  const named = (names: string[]) => names.flatMap((name) => [...(byName.get(name) ?? [])])
  let found = named([words.join('')])
  for (const word of words) if (found.length === 0) found = named([word])
  if (found.length === 0) found = named(others(words))
  const chosen: string[] = []
  for (const section of found.toSorted((left, right) => left.length - right.length)) {
    if (chosen.length === mostSections) break
    // A section inside another one that is chosen already adds nothing.
    if (!chosen.some((other) => section === other || section.startsWith(`${other}/`))) chosen.push(section)
  }
  return chosen
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
