/** Names that stand for whatever the reader's machine has. */
const generic = new RegExp(
  '^(?:(?:ui-)?(?:sans-serif|serif|monospace|rounded)|cursive|fantasy|math|emoji|fangsong|system-ui|' +
    '-apple-system|blinkmacsystemfont|-webkit-body|inherit|initial|unset|revert)$|^var\\(',
  'i',
)

/** Fonts that hold pictures instead of letters. */
const pictures = /emoji|\bsymbols?\b|icons?\b|awesome|glyph/i

/** The families of a stack by the names their makers gave them, in order. */
export function familiesOf(stack: string): string[] {
  const names = stack
    .split(',')
    .map((name) => name.trim().replace(/^["']|["']$/g, ''))
    .filter((name) => name !== '' && name.length < 100)
    .filter((name) => !generic.test(name) && !pictures.test(name) && !isStandIn(name))
    .map(unmangled)
  return [...new Set(names)].slice(0, 12)
}

/** The intended family of a stack: the first that the page loads, otherwise the first. */
export function familyOf(stack: string, faces: ReadonlySet<string>): string | undefined {
  const families = familiesOf(stack)
  return families.find((family) => faces.has(family)) ?? families[0]
}

/** Made by build tools so that the page does not jump while the real font loads. */
function isStandIn(name: string): boolean {
  return /[_\s-](?:fallback|placeholder)(?:$|[_:\s])/i.test(name)
}

/** Build tools make names unique: `__Open_Sans_1a2b3c` is Open Sans. */
function unmangled(name: string): string {
  const inner = /^__(.+)_[0-9a-f]{6}$/i.exec(name)?.[1]
  return inner === undefined ? name.replace(/-[0-9a-f]{16,}$/i, '') : inner.replaceAll('_', ' ')
}
