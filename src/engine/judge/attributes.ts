/** The value of an attribute in the raw text of a tag. */
export function attribute(attributes: string, name: string): string | undefined {
  if (attributes === '') return undefined
  const match = patternOf(name).exec(attributes)
  return match ? (match[1] ?? match[2] ?? match[3] ?? '') : undefined
}

const patterns = new Map<string, RegExp>()

function patternOf(name: string): RegExp {
  const known = patterns.get(name)
  if (known) return known
  const made = new RegExp(`(?:^|[\\s"'])${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'i')
  patterns.set(name, made)
  return made
}
