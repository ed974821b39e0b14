import type { LogoCandidate, StyleSnapshot } from '../style-snapshot.ts'
import { type Colour, distance, lightness, readColour, toHex } from './colour.ts'
import { brandColours } from './colours.ts'
import { commonest, ranked, tally, withEvidence } from './evidence.ts'
import {
  type ButtonLook,
  buttonLooks,
  type Painted,
  type PaintedPage,
  radiusOf,
  readPaintedPage,
} from './painted.ts'
import { brandPersonality } from './personality.ts'
import { brandFonts, brandTypography, pixels } from './typography.ts'

/** How a site presents itself, by the styles of one page. What that gives no evidence of is left out. */
export function extractBrand(snapshot: StyleSnapshot) {
  const page = readPaintedPage(snapshot)
  const looks = buttonLooks(page)
  const logo = brandLogo(snapshot)
  const colorScheme: 'light' | 'dark' = lightness(page.background) < 0.5 ? 'dark' : 'light'
  return {
    ...{ colorScheme, logo },
    ...withEvidence({
      brandName: brandName(snapshot),
      colors: brandColours(page, looks, snapshot),
      fonts: brandFonts(page, snapshot),
      typography: brandTypography(page, snapshot),
      spacing: brandSpacing(page),
      components: brandComponents(page, looks),
      icons: brandIcons(page),
      animations: brandAnimations(page),
      layout: brandLayout(page, snapshot),
      personality: brandPersonality(page, looks),
    }),
    images: brandImages(snapshot, logo),
  }
}

function brandLayout({ elements }: PaintedPage, snapshot: StyleSnapshot) {
  const widths = elements.flatMap(({ maxWidth, rect }) =>
    maxWidth !== undefined && maxWidth >= 600 && maxWidth <= 2000
      ? [{ value: maxWidth, weight: rect.height }]
      : [],
  )
  return withEvidence({
    grid: withEvidence({ maxWidth: pixels(commonest(widths)) }),
    headerHeight: pixels(snapshot.headerHeight),
    footerHeight: pixels(snapshot.footerHeight),
  })
}

const minIcons = 3
const largestIcon = 64

type IconStyle = 'outline' | 'filled'

/** The style of the icons of a page, if there are enough of them. */
function brandIcons({ elements }: PaintedPage) {
  const icons = elements.filter(
    ({ kind, rect }) => kind === 'icon' && rect.width <= largestIcon && rect.height <= largestIcon,
  )
  if (icons.length < minIcons) return {}
  const styles = icons.flatMap((icon) => {
    const value = styleOf(icon)
    return value ? [{ value, weight: 1 }] : []
  })
  const [ink] = tally(icons.map((icon) => ({ colour: inkOf(icon), weight: 1 })))
  return withEvidence({ style: commonest(styles), primaryColor: ink && toHex(ink.colour) })
}

function styleOf({ paint, glyph }: Painted): IconStyle | undefined {
  if (glyph) return glyphStyle(glyph)
  if (!paint) return undefined
  return isOutline(paint) ? 'outline' : 'filled'
}

function isOutline({ fill, stroke }: { fill: string; stroke: string }): boolean {
  return stroke !== 'none' && fill === 'none'
}

/** Fonts of icons say in their names how they are drawn, or keep both kinds apart by their weight. */
function glyphStyle({ family, weight }: { family: string; weight: number }): IconStyle | undefined {
  if (/outline|regular|light|thin|line/i.test(family)) return 'outline'
  if (/awesome/i.test(family)) return weight >= 600 || /brands/i.test(family) ? 'filled' : 'outline'
  return /material|solid|fill/i.test(family) ? 'filled' : undefined
}

/** The colour of an icon, which may differ from that of the surrounding text. */
function inkOf({ paint, ink }: Painted): Colour {
  const drawn = paint && readColour(isOutline(paint) ? paint.stroke : paint.fill)
  return drawn && drawn.alpha > 0.5 ? drawn : ink
}

function brandComponents({ elements }: PaintedPage, looks: ButtonLook[]) {
  const primary = looks.find(({ isFilled }) => isFilled) ?? looks[0]
  const secondary = looks.find((look) => primary && look !== primary && differs(look, primary))
  const inputs = elements.filter(({ kind }) => kind === 'input')
  const [edge] = tally(inputs.flatMap(({ edge }) => (edge ? [{ colour: edge, weight: 1 }] : [])))
  return withEvidence({
    buttonPrimary: primary && describe(primary),
    buttonSecondary: secondary && describe(secondary),
    input: withEvidence({
      borderColor: edge && toHex(edge.colour),
      borderRadius: commonest(inputs.map(({ radius }) => ({ value: radiusOf(radius), weight: 1 }))),
    }),
  })
}

function differs(one: ButtonLook, other: ButtonLook): boolean {
  return one.isFilled !== other.isFilled || distance(one.background, other.background) > 0.05
}

function describe(look: ButtonLook) {
  return withEvidence({
    background: toHex(look.background),
    textColor: toHex(look.text),
    borderColor: look.border && toHex(look.border),
    borderRadius: look.radius,
  })
}

function brandAnimations({ elements }: PaintedPage) {
  const moving = elements.filter(({ kind }) => kind === 'button' || kind === 'link' || kind === 'input')
  const [most] = ranked(
    moving.flatMap(({ transition }) =>
      transition ? [{ value: `${first(transition.duration)} ${first(transition.easing)}`, weight: 1 }] : [],
    ),
  )
  if (!most || most.weight < 2) return {}
  const [duration, ...easing] = most.value.split(' ')
  return withEvidence({ transitionDuration: duration, easing: easing.join(' ') })
}

/** The first entry of a list of times or curves, one per property; a curve contains commas itself. */
function first(list: string): string {
  return /^[a-z-]+\([^)]*\)|^[^,]+/.exec(list)?.[0] ?? list
}

/** From here on an image on the page is more surely the logo than what its description names. */
const certain = 60
const likely = 40

/** The logo that the page shows in its header, otherwise the declared one, otherwise an image named so. */
function brandLogo(snapshot: StyleSnapshot): string | null {
  const names = [snapshot.organization.name, snapshot.siteName, hostName(snapshot.url)].map(plain)
  const [best] = snapshot.logos
    .map((candidate) => ({ url: candidate.url, score: scoreOf(candidate, snapshot, names) }))
    .sort((one, other) => other.score - one.score)
  if (best && best.score >= certain) return best.url
  return snapshot.organization.logo ?? (best && best.score >= likely ? best.url : null)
}

function brandName({ organization, siteName }: StyleSnapshot): string | undefined {
  return siteName || organization.name
}

function brandImages(snapshot: StyleSnapshot, logo: string | null) {
  return {
    logo,
    favicon: snapshot.favicon ?? snapshot.touchIcon ?? null,
    ogImage: snapshot.ogImage ?? null,
  }
}

function scoreOf(candidate: LogoCandidate, { viewport }: StyleSnapshot, names: string[]): number {
  const { rect } = candidate
  const ratio = rect.width / Math.max(1, rect.height)
  const alt = plain(candidate.alt)
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

function plain(text: string | undefined): string {
  return (text ?? '').toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

/** The name in an address: `www.acme.co.uk` is acme's. */
function hostName(url: string): string {
  const parts = (URL.parse(url)?.hostname ?? '').replace(/^www\./, '').split('.')
  return parts[0] ?? ''
}

const units = [12, 10, 8, 6, 4]
/** Fewer distances than this show no rhythm. */
const minDistances = 8

function brandSpacing({ elements }: PaintedPage) {
  const distances = elements
    .filter(({ kind }) => kind !== 'page' && kind !== 'icon')
    // Margins at the sides centre things; they follow from the width of the window.
    .flatMap(({ padding, margin, gap }) => [...padding, margin[0] ?? 0, margin[2] ?? 0, gap ?? 0])
    .filter(
      (distance) => distance >= 3 && distance <= 128 && Math.abs(distance - Math.round(distance)) < 0.05,
    )
  const gaps = ranked(elements.flatMap(({ gap }) => (gap ? [{ value: Math.round(gap), weight: 1 }] : [])))
  return withEvidence({
    baseUnit: baseUnit(distances.map(Math.round)),
    borderRadius: borderRadius(elements),
    padding: paddings(elements),
    margins: margins(elements),
    gridGutter: (gaps[0]?.weight ?? 0) >= 3 ? gaps[0]?.value : undefined,
  })
}

/** Inside of what, in pixels: the distance that most of them have, where at least two have the same. */
function paddings(elements: Painted[]) {
  const buttons = elements.filter(({ kind, text, fill, edge }) => kind === 'button' && text && (fill || edge))
  const inputs = elements.filter(({ kind }) => kind === 'input')
  const cards = elements.filter(({ kind, fill, edge }) => kind === 'box' && (fill || edge))
  const sections = elements.filter(({ tag }) => tag === 'section')
  return withEvidence({
    buttonVertical: shared(buttons.map(({ padding }) => padding[0])),
    buttonHorizontal: shared(buttons.map(({ padding }) => padding[1])),
    inputVertical: shared(inputs.map(({ padding }) => padding[0])),
    inputHorizontal: shared(inputs.map(({ padding }) => padding[1])),
    // One that is the same all around is meant for what it holds, not for the page.
    card: shared(cards.map(({ padding }) => (new Set(padding).size === 1 ? padding[0] : 0))),
    sectionVertical: shared(sections.map(({ padding }) => padding[0])),
  })
}

/** Below of what, in pixels. */
function margins(elements: Painted[]) {
  const below = (chosen: (element: Painted) => boolean) =>
    shared(elements.filter(chosen).map(({ margin }) => margin[2]))
  return withEvidence({
    heading: below(({ kind }) => kind === 'heading'),
    paragraph: below(({ tag }) => tag === 'p'),
    section: below(({ tag }) => tag === 'section'),
  })
}

function shared(distances: (number | undefined)[]): number | undefined {
  const [most] = ranked(
    distances.flatMap((distance) => (distance ? [{ value: Math.round(distance * 10) / 10, weight: 1 }] : [])),
  )
  return most && most.weight >= 2 ? most.value : undefined
}

/** The largest unit of which most distances are a multiple; else the one that explains most. */
function baseUnit(distances: number[]): number | undefined {
  if (distances.length < minDistances) return undefined
  // By kinds of distances, so that one long menu does not decide alone.
  const kinds = ranked(distances.map((value) => ({ value, weight: 1 }))).map(({ value, weight }) => ({
    value,
    weight: Math.log2(1 + weight),
  }))
  const whole = kinds.reduce((sum, { weight }) => sum + weight, 0)
  const shares = units.map((unit) => {
    const explained = kinds.filter(({ value }) => value % unit === 0)
    return { unit, share: explained.reduce((sum, { weight }) => sum + weight, 0) / whole }
  })
  const most = shares.find(({ share }) => share > 0.75)
  return (most ?? shares.sort((one, other) => other.share - one.share)[0])?.unit
}

function borderRadius(elements: PaintedPage['elements']): string | undefined {
  const votes = elements.flatMap(({ kind, radius, fill, edge, text }) => {
    const value = radiusOf(radius)
    if (kind === 'input' || (kind === 'button' && text !== '' && (fill || edge)))
      return [{ value, weight: 3 }]
    const isCard = kind === 'box' && (fill || edge) && Number.parseFloat(value) > 0 && !value.endsWith('%')
    return isCard ? [{ value, weight: 1 }] : []
  })
  return commonest(votes)
}
