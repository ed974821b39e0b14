import type { StyleSnapshot } from '../style-snapshot.ts'
import { countEach, findCommonest, omitEmpty, rankByWeight } from './evidence.ts'
import type { PaintedElement, PaintedPage } from './painted.ts'

const maxFonts = 6

export function getBrandFonts({ elements }: PaintedPage, snapshot: StyleSnapshot): { family: string }[] {
  const faces = getLoadedFamilies(snapshot)
  const votes = elements
    // Fields and buttons have a default font of the browser unless the page sets a font.
    .filter(({ textLength, kind, tag }) => textLength > 0 && kind !== 'input' && tag !== 'button')
    .flatMap((element) => {
      const family = familyOf(element.font.family, faces)
      return family ? [{ value: family, weight: getTextWeight(element) }] : []
    })
  return rankByWeight(votes)
    .slice(0, maxFonts)
    .map(({ value }) => ({ family: value }))
}

export function getBrandTypography({ elements }: PaintedPage, snapshot: StyleSnapshot) {
  const faces = getLoadedFamilies(snapshot)
  const text = elements.filter(({ kind, textLength }) => kind === 'text' && textLength > 0)
  const headings = elements.filter(({ kind, tag }) => kind === 'heading' && /^h[1-3]$/.test(tag))
  const buttons = elements.filter(({ kind }) => kind === 'button')
  const body = getCommonestStack(
    text.length > 0 ? text : elements.filter(({ kind }) => kind === 'page').slice(-1),
  )
  const heading = getCommonestStack(headings)
  const code = getCommonestStack(elements.filter(({ kind }) => kind === 'code'))
  const paragraph = getCommonestStack(text.filter(({ tag }) => tag === 'p'))
  return omitEmpty({
    fontFamilies: omitEmpty({
      primary: familyOf(body, faces),
      heading: familyOf(heading, faces),
      code: familyOf(code, faces),
    }),
    fontStacks: omitEmpty({
      ...{ primary: familiesOf(body), heading: familiesOf(heading) },
      ...{ body: familiesOf(body), paragraph: familiesOf(paragraph) },
    }),
    fontSizes: getFontSizes(elements, text),
    fontWeights: getFontWeights([...text, ...headings, ...buttons]),
    // The largest heading has a designed line height; small headings often inherit the line height of the text.
    lineHeights: omitEmpty({
      heading: getLineHeight(headings, ({ font }) => font.size),
      body: getLineHeight(text, getTextWeight),
    }),
  })
}

const getLoadedFamilies = ({ fontFaces }: StyleSnapshot) => new Set(fontFaces.flatMap(familiesOf))

/** Returns the weight of an element by its text; the square root prevents that one long paragraph dominates. */
const getTextWeight = ({ textLength }: PaintedElement) => Math.sqrt(textLength)

function getCommonestStack(elements: PaintedElement[]): string {
  return findCommonest(elements.map((element) => voteFor(element, element.font.family))) ?? ''
}

const voteFor = <Value>(element: PaintedElement, value: Value) => {
  return { value, weight: 1 + getTextWeight(element) }
}

function getFontSizes(elements: PaintedElement[], text: PaintedElement[]) {
  const getCommonestSize = (selected: PaintedElement[]) =>
    findCommonest(selected.map((element) => voteFor(element, element.font.size)))
  const getHeadingSize = (tag: string) => getCommonestSize(elements.filter((element) => element.tag === tag))
  const body = getCommonestSize(text)
  const smaller = text.filter(({ font }) => body !== undefined && font.size < body && font.size >= 9)
  const small = smaller.length > 1 ? getCommonestSize(smaller) : undefined
  return omitEmpty({
    h1: pixels(getHeadingSize('h1')),
    h2: pixels(getHeadingSize('h2')),
    h3: pixels(getHeadingSize('h3')),
    body: pixels(body),
    small: pixels(small),
  })
}

export function pixels(length: number | undefined): string | undefined {
  return length === undefined ? undefined : `${Math.round(length * 100) / 100}px`
}

function getFontWeights(elements: PaintedElement[]) {
  const used = rankByWeight(countEach(elements.map(({ font }) => font.weight)))
  const findWeight = (min: number, max: number) =>
    used.find(({ value }) => value >= min && value <= max)?.value
  return omitEmpty({
    ...{ light: findWeight(100, 350), regular: findWeight(351, 450) },
    ...{ medium: findWeight(451, 550), bold: findWeight(551, 1000) },
  })
}

function getLineHeight(
  elements: PaintedElement[],
  getElementWeight: (element: PaintedElement) => number,
): string | undefined {
  const ratios = elements.flatMap((element) => {
    const { lineHeight: height, size } = element.font
    return height && size
      ? [{ value: Math.round((height / size) * 100) / 100, weight: getElementWeight(element) }]
      : []
  })
  return findCommonest(ratios)?.toString()
}

const genericFonts =
  /^(?:(?:ui-)?(?:sans-serif|serif|monospace|rounded)|cursive|fantasy|math|emoji|fangsong|system-ui|-apple-system|blinkmacsystemfont|-webkit-body|inherit|initial|unset|revert)$|^var\(/i

const pictogramFonts = /emoji|\bsymbols?\b|icons?\b|awesome|glyph/i

export function familiesOf(stack: string): string[] {
  const names = stack
    .split(',')
    .map((name) => name.trim().replace(/^["']|["']$/g, ''))
    .filter((name) => name !== '' && name.length < 100)
    .filter((name) => !genericFonts.test(name) && !pictogramFonts.test(name) && !fallbackFonts.test(name))
    .map(restoreFontName)
  return [...new Set(names)].slice(0, 12)
}

export function familyOf(stack: string, faces: ReadonlySet<string>): string | undefined {
  const families = familiesOf(stack)
  return families.find((family) => faces.has(family)) ?? families[0]
}

const fallbackFonts = /[_\s-](?:fallback|placeholder)(?:$|[_:\s])/i

/** Restores a name that build tools made unique: `__Open_Sans_1a2b3c` becomes "Open Sans". */
function restoreFontName(name: string): string {
  const original = /^__(.+)_[0-9a-f]{6}$/i.exec(name)?.[1]
  return original === undefined ? name.replace(/-[0-9a-f]{16,}$/i, '') : original.replaceAll('_', ' ')
}
