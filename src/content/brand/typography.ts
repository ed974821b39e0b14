import type { StyleSnapshot } from '../style-snapshot.ts'
import { commonest, ranked, withEvidence } from './evidence.ts'
import type { Painted, PaintedPage } from './painted.ts'

const maxFonts = 6

/** The families in use, most used first. */
export function brandFonts({ elements }: PaintedPage, snapshot: StyleSnapshot): { family: string }[] {
  const faces = facesOf(snapshot)
  const votes = elements
    // Fields and buttons have a font of the browser's own unless they are given one.
    .filter(({ textLength, kind, tag }) => textLength > 0 && kind !== 'input' && tag !== 'button')
    .flatMap((element) => {
      const family = familyOf(element.font.family, faces)
      return family ? [{ value: family, weight: amount(element) }] : []
    })
  return ranked(votes)
    .slice(0, maxFonts)
    .map(({ value }) => ({ family: value }))
}

export function brandTypography({ elements }: PaintedPage, snapshot: StyleSnapshot) {
  const faces = facesOf(snapshot)
  const text = elements.filter(({ kind, textLength }) => kind === 'text' && textLength > 0)
  const headings = elements.filter(({ kind, tag }) => kind === 'heading' && /^h[1-3]$/.test(tag))
  const buttons = elements.filter(({ kind }) => kind === 'button')
  const body = stackOf(text.length > 0 ? text : elements.filter(({ kind }) => kind === 'page').slice(-1))
  const heading = stackOf(headings)
  const code = stackOf(elements.filter(({ kind }) => kind === 'code'))
  const paragraph = stackOf(text.filter(({ tag }) => tag === 'p'))
  const families = {
    primary: familyOf(body, faces),
    heading: familyOf(heading, faces),
    code: familyOf(code, faces),
  }
  return withEvidence({
    fontFamilies: withEvidence(families),
    fontStacks: withEvidence({
      ...{ primary: familiesOf(body), heading: familiesOf(heading) },
      ...{ body: familiesOf(body), paragraph: familiesOf(paragraph) },
    }),
    fontSizes: fontSizes(elements, text),
    fontWeights: fontWeights([...text, ...headings, ...buttons]),
    // The largest heading is the one that was designed; small ones often just follow the text.
    lineHeights: withEvidence({
      heading: lineHeight(headings, ({ font }) => font.size),
      body: lineHeight(text, amount),
    }),
  })
}

function facesOf({ fontFaces }: StyleSnapshot): Set<string> {
  return new Set(fontFaces.flatMap((face) => familiesOf(face)))
}

/** How much an element says about the text of a page; one long paragraph is not worth all the others. */
function amount({ textLength }: Painted): number {
  return Math.sqrt(textLength)
}

/** The stack that most of the text is set in, as written. */
function stackOf(elements: Painted[]): string {
  const votes = elements.map((element) => ({ value: element.font.family, weight: 1 + amount(element) }))
  return commonest(votes) ?? ''
}

function fontSizes(elements: Painted[], text: Painted[]) {
  const sizeOf = (chosen: Painted[]) =>
    commonest(chosen.map((element) => ({ value: element.font.size, weight: 1 + amount(element) })))
  const heading = (tag: string) => sizeOf(elements.filter((one) => one.tag === tag))
  const body = sizeOf(text)
  const smaller = text.filter(({ font }) => body !== undefined && font.size < body && font.size >= 9)
  const small = smaller.length > 1 ? sizeOf(smaller) : undefined
  return withEvidence({
    ...{ h1: pixels(heading('h1')), h2: pixels(heading('h2')), h3: pixels(heading('h3')) },
    ...{ body: pixels(body), small: pixels(small) },
  })
}

export function pixels(length: number | undefined): string | undefined {
  return length === undefined ? undefined : `${Math.round(length * 100) / 100}px`
}

function fontWeights(elements: Painted[]) {
  const used = ranked(elements.map(({ font }) => ({ value: font.weight, weight: 1 })))
  const between = (least: number, most: number) =>
    used.find(({ value }) => value >= least && value <= most)?.value
  return withEvidence({
    ...{ light: between(100, 350), regular: between(351, 450) },
    ...{ medium: between(451, 550), bold: between(551, 1000) },
  })
}

/** Relative to the size of the font. */
function lineHeight(elements: Painted[], weigh: (element: Painted) => number): string | undefined {
  const ratios = elements.flatMap((element) => {
    const { lineHeight: height, size } = element.font
    return height && size ? [{ value: Math.round((height / size) * 100) / 100, weight: weigh(element) }] : []
  })
  return commonest(ratios)?.toString()
}

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
