import type { LogoCandidate, StyleSnapshot } from '../style-snapshot.ts'
import { type Colour, distance, lightness, readColour, toHex } from './colour.ts'
import { getBrandColours } from './colours.ts'
import { countEach, findCommonest, omitEmpty, rankByWeight, tallyEach } from './evidence.ts'
import {
  type ButtonStyle,
  getButtonStyles,
  type PaintedElement,
  type PaintedPage,
  radiusOf,
  readPaintedPage,
} from './painted.ts'
import { getBrandPersonality } from './personality.ts'
import { getBrandFonts, getBrandTypography, pixels } from './typography.ts'

export function extractBrand(snapshot: StyleSnapshot) {
  const page = readPaintedPage(snapshot)
  const buttonStyles = getButtonStyles(page)
  const logo = findLogo(snapshot)
  const colorScheme: 'light' | 'dark' = lightness(page.background) < 0.5 ? 'dark' : 'light'
  return {
    ...{ colorScheme, logo },
    ...omitEmpty({
      brandName: snapshot.siteName || snapshot.organization.name,
      colors: getBrandColours(page, buttonStyles, snapshot),
      fonts: getBrandFonts(page, snapshot),
      typography: getBrandTypography(page, snapshot),
      spacing: getBrandSpacing(page),
      components: getBrandComponents(page, buttonStyles),
      icons: getBrandIcons(page),
      animations: getBrandAnimations(page),
      layout: getBrandLayout(page, snapshot),
      personality: getBrandPersonality(page, buttonStyles),
    }),
    images: {
      logo,
      favicon: snapshot.favicon ?? snapshot.touchIcon ?? null,
      ogImage: snapshot.ogImage ?? null,
    },
  }
}

function getBrandLayout({ elements }: PaintedPage, snapshot: StyleSnapshot) {
  const wide = elements.filter(({ maxWidth = 0 }) => maxWidth >= 600 && maxWidth <= 2000)
  const widths = wide.map(({ maxWidth, rect }) => ({ value: maxWidth, weight: rect.height }))
  return omitEmpty({
    grid: omitEmpty({ maxWidth: pixels(findCommonest(widths)) }),
    headerHeight: pixels(snapshot.headerHeight),
    footerHeight: pixels(snapshot.footerHeight),
  })
}

const minIcons = 3
const maxIconSize = 64

function getBrandIcons({ elements }: PaintedPage) {
  const icons = elements.filter(
    ({ kind, rect }) => kind === 'icon' && rect.width <= maxIconSize && rect.height <= maxIconSize,
  )
  if (icons.length < minIcons) return {}
  const styles = countEach(icons.map(getIconStyle))
  const [vote] = tallyEach(icons.map(getIconColour))
  return omitEmpty({ style: findCommonest(styles), primaryColor: vote && toHex(vote.colour) })
}

function getIconStyle({ paint, glyph }: PaintedElement) {
  if (glyph) return getGlyphStyle(glyph)
  if (!paint) return undefined
  return isOutline(paint) ? 'outline' : 'filled'
}

const isOutline = ({ fill, stroke }: { fill: string; stroke: string }) => stroke !== 'none' && fill === 'none'

function getGlyphStyle({ family, weight }: { family: string; weight: number }) {
  if (/outline|regular|light|thin|line/i.test(family)) return 'outline'
  if (/awesome/i.test(family)) return weight >= 600 || /brands/i.test(family) ? 'filled' : 'outline'
  return /material|solid|fill/i.test(family) ? 'filled' : undefined
}

function getIconColour({ paint, textColour }: PaintedElement): Colour {
  const iconColour = paint && readColour(isOutline(paint) ? paint.stroke : paint.fill)
  return iconColour && iconColour.alpha > 0.5 ? iconColour : textColour
}

function getBrandComponents({ elements }: PaintedPage, buttonStyles: ButtonStyle[]) {
  const primary = buttonStyles.find(({ isFilled }) => isFilled) ?? buttonStyles[0]
  const secondary = buttonStyles.find(
    (style) =>
      primary &&
      style !== primary &&
      (style.isFilled !== primary.isFilled || distance(style.background, primary.background) > 0.05),
  )
  const inputs = elements.filter(({ kind }) => kind === 'input')
  const [vote] = tallyEach(inputs.map(({ borderColour }) => borderColour))
  return omitEmpty({
    buttonPrimary: primary && describeButton(primary),
    buttonSecondary: secondary && describeButton(secondary),
    input: omitEmpty({
      borderColor: vote && toHex(vote.colour),
      borderRadius: findCommonest(countEach(inputs.map(({ radius }) => radiusOf(radius)))),
    }),
  })
}

function describeButton(style: ButtonStyle) {
  return omitEmpty({
    background: toHex(style.background),
    textColor: toHex(style.text),
    borderColor: style.border && toHex(style.border),
    borderRadius: style.radius,
  })
}

function getBrandAnimations({ elements }: PaintedPage) {
  const interactive = elements.filter(({ kind }) => kind === 'button' || kind === 'link' || kind === 'input')
  const transitions = interactive.flatMap(({ transition }) => transition ?? [])
  const names = transitions.map(
    ({ duration, easing }) => `${getFirstEntry(duration)} ${getFirstEntry(easing)}`,
  )
  const [commonestTransition] = rankByWeight(countEach(names))
  if (!commonestTransition || commonestTransition.weight < 2) return {}
  const [duration, ...easing] = commonestTransition.value.split(' ')
  return omitEmpty({ transitionDuration: duration, easing: easing.join(' ') })
}

/** Returns the first entry of a list of times or curves, one per property. A curve contains commas itself. */
const getFirstEntry = (list: string) => /^[a-z-]+\([^)]*\)|^[^,]+/.exec(list)?.[0] ?? list

const certainScore = 60
const likelyScore = 40

function findLogo(snapshot: StyleSnapshot): string | null {
  const host = URL.parse(snapshot.url)
    ?.hostname.replace(/^www\./, '')
    .split('.', 1)[0]
  const names = [snapshot.organization.name, snapshot.siteName, host].map(normalise)
  const [best] = snapshot.logos
    .map((candidate) => ({ url: candidate.url, score: scoreLogo(candidate, snapshot, names) }))
    .sort((a, b) => b.score - a.score)
  if (best && best.score >= certainScore) return best.url
  return snapshot.organization.logo ?? (best && best.score >= likelyScore ? best.url : null)
}

function scoreLogo(candidate: LogoCandidate, { viewport }: StyleSnapshot, names: string[]): number {
  const { rect } = candidate
  const ratio = rect.width / Math.max(1, rect.height)
  const alt = normalise(candidate.alt)
  return (
    (candidate.isInHeader ? 25 : 0) +
    (candidate.isInHomeLink ? 35 : 0) +
    (candidate.isCalledLogo ? 30 : 0) +
    (names.some((name) => name.length > 1 && alt.includes(name)) ? 15 : 0) +
    (rect.y < 150 && rect.x < viewport.width / 2 ? 10 : 0) +
    (rect.y > viewport.height ? -20 : 0) +
    (ratio < 0.4 || ratio > 15 ? -15 : 0) +
    (rect.height < 16 ? -15 : 0) +
    (rect.height > 250 || rect.width > viewport.width * 0.6 ? -45 : 0)
  )
}

const normalise = (text = '') => text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')

const baseUnits = [12, 10, 8, 6, 4]
const minDistanceCount = 8

function getBrandSpacing({ elements }: PaintedPage) {
  const distances = elements
    .filter(({ kind }) => kind !== 'page' && kind !== 'icon')
    // Side margins are ignored because they centre content and depend on the window width.
    .flatMap(({ padding, margin, gap }) => [...padding, margin[0] ?? 0, margin[2] ?? 0, gap ?? 0])
    .filter(
      (distance) => distance >= 3 && distance <= 128 && Math.abs(distance - Math.round(distance)) < 0.05,
    )
  const gaps = rankByWeight(countEach(elements.map(({ gap }) => (gap ? Math.round(gap) : undefined))))
  return omitEmpty({
    baseUnit: findBaseUnit(distances.map(Math.round)),
    borderRadius: findBorderRadius(elements),
    padding: getPaddings(elements),
    margins: getMargins(elements),
    gridGutter: (gaps[0]?.weight ?? 0) >= 3 ? gaps[0]?.value : undefined,
  })
}

function getPaddings(elements: PaintedElement[]) {
  const buttons = elements.filter(
    ({ kind, text, fill, borderColour }) => kind === 'button' && text && (fill || borderColour),
  )
  const inputs = elements.filter(({ kind }) => kind === 'input')
  const cards = elements.filter(({ kind, fill, borderColour }) => kind === 'box' && (fill || borderColour))
  const sections = elements.filter(({ tag }) => tag === 'section')
  return omitEmpty({
    buttonVertical: findCommonDistance(buttons.map(({ padding }) => padding[0])),
    buttonHorizontal: findCommonDistance(buttons.map(({ padding }) => padding[1])),
    inputVertical: findCommonDistance(inputs.map(({ padding }) => padding[0])),
    inputHorizontal: findCommonDistance(inputs.map(({ padding }) => padding[1])),
    // Padding that is equal on all sides belongs to the content of a card, not to the page layout.
    card: findCommonDistance(cards.map(({ padding }) => (new Set(padding).size === 1 ? padding[0] : 0))),
    sectionVertical: findCommonDistance(sections.map(({ padding }) => padding[0])),
  })
}

function getMargins(elements: PaintedElement[]) {
  const getBottomMargin = (isIncluded: (element: PaintedElement) => boolean) =>
    findCommonDistance(elements.filter(isIncluded).map(({ margin }) => margin[2]))
  return omitEmpty({
    heading: getBottomMargin(({ kind }) => kind === 'heading'),
    paragraph: getBottomMargin(({ tag }) => tag === 'p'),
    section: getBottomMargin(({ tag }) => tag === 'section'),
  })
}

function findCommonDistance(distances: (number | undefined)[]): number | undefined {
  const rounded = distances.map((distance) => (distance ? Math.round(distance * 10) / 10 : undefined))
  const [commonestValue] = rankByWeight(countEach(rounded))
  return commonestValue && commonestValue.weight >= 2 ? commonestValue.value : undefined
}

function findBaseUnit(distances: number[]): number | undefined {
  if (distances.length < minDistanceCount) return undefined
  // Group equal distances, so that one long menu does not dominate.
  const kinds = rankByWeight(countEach(distances)).map(({ value, weight }) => ({
    value,
    weight: Math.log2(1 + weight),
  }))
  const totalWeight = kinds.reduce((sum, { weight }) => sum + weight, 0)
  const shares = baseUnits.map((unit) => {
    const multiples = kinds.filter(({ value }) => value % unit === 0)
    return { unit, share: multiples.reduce((sum, { weight }) => sum + weight, 0) / totalWeight }
  })
  const clearShare = shares.find(({ share }) => share > 0.75)
  return (clearShare ?? shares.sort((a, b) => b.share - a.share)[0])?.unit
}

function findBorderRadius(elements: PaintedElement[]): string | undefined {
  const votes = elements.flatMap(({ kind, radius, fill, borderColour, text }) => {
    const value = radiusOf(radius)
    const isPainted = fill !== undefined || borderColour !== undefined
    if (kind === 'input' || (kind === 'button' && text !== '' && isPainted)) return [{ value, weight: 3 }]
    const isCard = kind === 'box' && isPainted && Number.parseFloat(value) > 0 && !value.endsWith('%')
    return isCard ? [{ value, weight: 1 }] : []
  })
  return findCommonest(votes)
}
