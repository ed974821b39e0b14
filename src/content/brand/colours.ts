import type { StyleSnapshot } from '../style-snapshot.ts'
import { type Colour, chroma, contrast, distance, isChromatic, readColour, toHex } from './colour.ts'
import { tally, type Vote, withEvidence } from './evidence.ts'
import type { ButtonLook, Painted, PaintedPage } from './painted.ts'

/** Of two that the page names itself, the second is one of its own as soon as the two can be distinguished. */
const sameColour = 0.03
/** If the page does not declare them, the second may be a shade of the first. */
const clearlyApart = 0.12

/** The role of each colour of a page; only roles for which the page gives evidence. */
export function brandColours(page: PaintedPage, looks: ButtonLook[], snapshot: StyleSnapshot) {
  const { background } = page
  const declared = declaredColours(snapshot)
  const seen = tally(seenVotes(page, looks))
  const isSeen = (colour: Colour) => seen.some((vote) => distance(vote.colour, colour) < 0.03)
  const palette = tally([...seen, ...statedVotes(snapshot, declared, isSeen)]).filter(({ colour }) =>
    isOwn(colour, background),
  )
  /** Of those declared, one that is in use first; else the one with most votes. Apart from those that are taken. */
  const chosen = (word: RegExp, least: number, taken: (Colour | undefined)[]): Colour | undefined => {
    const isApart = (colour: Colour, by: number) =>
      taken.every((other) => !other || distance(colour, other) > by)
    const stated = declared.filter(
      ({ word: own, colour }) => word.test(own) && isApart(colour, sameColour) && isOwn(colour, background),
    )
    const used = stated.find(({ colour }) => isSeen(colour)) ?? stated.find((one) => !one.isOfFramework)
    const voted = palette.find(
      ({ colour, weight }) => weight >= least && isApart(colour, clearlyApart) && !isSignal(colour, declared),
    )
    return used?.colour ?? voted?.colour
  }
  const primary = palette.find(({ weight }) => weight >= 8)?.colour
  const secondary = primary && chosen(/^(?:brand-)?secondary$/, 8, [primary])
  const accent = primary && chosen(/^(?:brand-)?accent$/, 6, [primary, secondary])
  const { textPrimary, textSecondary } = textColours(page)
  const named = (word: RegExp) => namedColour(declared, word, isSeen)
  return withEvidence({
    ...{ primary: hex(primary), secondary: hex(secondary), accent: hex(accent), background: hex(background) },
    ...{ textPrimary: hex(textPrimary), textSecondary: hex(textSecondary), link: hex(linkColour(page)) },
    success: named(signals.success),
    warning: named(signals.warning),
    error: named(signals.error),
  })
}

const signals = {
  success: /^(?:success|positive)$/,
  warning: /^(?:warning|caution)$/,
  error: /^(?:error|danger|destructive|negative)$/,
}

/** A colour that the page keeps for what went well or wrong says nothing of the brand, however often it is seen. */
function isSignal(colour: Colour, declared: Declared[]): boolean {
  return declared.some(
    (one) =>
      Object.values(signals).some((word) => word.test(one.word)) && distance(one.colour, colour) < 0.03,
  )
}

function hex(colour: Colour | undefined): string | undefined {
  return colour && toHex(colour)
}

/** A grey near the background is a shade of it; a colour is one of its own much sooner. */
function isOwn(colour: Colour, background: Colour): boolean {
  return distance(colour, background) > (isChromatic(colour) ? 0.08 : 0.25)
}

function namedColour(declared: Declared[], word: RegExp, isSeen: (colour: Colour) => boolean) {
  return hex(
    declared.find((one) => word.test(one.word) && (!one.isOfFramework || isSeen(one.colour)))?.colour,
  )
}

/** What most of the text is written in, and what its lesser parts are. */
function textColours({ elements, background }: PaintedPage) {
  const written = elements.filter(
    ({ kind, textLength, backdrop, fill, ink }) =>
      (kind === 'text' || kind === 'heading') &&
      textLength > 0 &&
      distance(fill ?? backdrop, background) < 0.12 &&
      contrast(ink, fill ?? backdrop) > 2,
  )
  const body = elements.findLast(({ kind }) => kind === 'page')
  const amounts = written.map(({ ink, textLength }) => ({ colour: ink, weight: Math.log2(1 + textLength) }))
  const whole = amounts.reduce((sum, { weight }) => sum + weight, 0)
  if (whole === 0) return {}
  const votes = tally([...amounts, ...(body ? [{ colour: body.ink, weight: whole * 0.15 }] : [])])
  const strength = ({ colour, weight }: Vote) => weight * Math.sqrt(contrast(colour, background))
  const textPrimary = votes.sort((one, other) => strength(other) - strength(one))[0]?.colour
  const textSecondary = votes.find(
    ({ colour, weight }) =>
      textPrimary &&
      weight > whole * 0.05 &&
      chroma(colour) < 0.07 &&
      distance(colour, textPrimary) > 0.08 &&
      contrast(colour, background) < contrast(textPrimary, background),
  )?.colour
  return { textPrimary, textSecondary }
}

/** Of links that look like links: those in the text before those in menus. */
function linkColour({ elements, background }: PaintedPage): Colour | undefined {
  const links = elements.filter(
    ({ kind, text, fill, edge, backdrop, ink }) =>
      kind === 'link' &&
      text !== '' &&
      !fill &&
      !edge &&
      distance(backdrop, background) < 0.12 &&
      contrast(ink, backdrop) > 2,
  )
  const inText = links.filter(({ place }) => place === 'body')
  const votes = tally((inText.length > 0 ? inText : links).map(({ ink }) => ({ colour: ink, weight: 1 })))
  const whole = votes.reduce((sum, { weight }) => sum + weight, 0)
  const coloured = votes.find(({ colour, weight }) => isChromatic(colour) && weight > whole * 0.2)
  return (coloured ?? votes[0])?.colour
}

/** Links of this colour were never styled. */
const unstyledLink = '#0000EE'

/** Colours that stand somewhere on the page, by how much they say about the brand. */
function seenVotes(page: PaintedPage, looks: ButtonLook[]): Vote[] {
  const often = (count: number) => Math.log2(1 + Math.min(count, 7))
  const votes = looks
    .filter(({ isFilled }) => isFilled)
    .map(({ background, isCallToAction, count }) => ({
      colour: background,
      weight: (isCallToAction ? 60 : 25) * often(count),
    }))
  const { elements } = page
  const inks = (kind: Painted['kind'], base: number) =>
    counted(
      elements.filter((one) => one.kind === kind && toHex(one.ink) !== unstyledLink).map(({ ink }) => ink),
    )
      .filter(({ colour }) => isChromatic(colour))
      .map(({ colour, weight }) => ({ colour, weight: base * often(weight) }))
  votes.push(...inks('link', 6), ...inks('heading', 6), ...inks('icon', 3), ...fills(elements))
  // Black and white are on every page; they must be on much of it to be its colours.
  return votes.map(({ colour, weight }) => ({ colour, weight: isChromatic(colour) ? weight : weight * 0.4 }))
}

function fills(elements: Painted[]): Vote[] {
  const areas = new Map<string, { colour: Colour; area: number; isHeader: boolean }>()
  for (const { kind, fill, rect, place, tag } of elements) {
    if (!fill || kind === 'page' || kind === 'button' || kind === 'input') continue
    const known = areas.get(toHex(fill)) ?? { colour: fill, area: 0, isHeader: false }
    const isHeader = known.isHeader || (place === 'header' && tag === 'header')
    areas.set(toHex(fill), { colour: fill, area: known.area + rect.width * rect.height, isHeader })
  }
  return [...areas.values()].map(({ colour, area, isHeader }) => ({
    colour,
    weight: Math.log10(1 + area) * (isHeader ? 5 : 3),
  }))
}

function counted(colours: Colour[]): Vote[] {
  return tally(colours.map((colour) => ({ colour, weight: 1 })))
}

/** The colours that the page declares. An unused one may just be part of a framework. */
function statedVotes(
  { themeColor }: StyleSnapshot,
  declared: Declared[],
  isSeen: (colour: Colour) => boolean,
): Vote[] {
  const votes = declared
    .filter(({ word }) => /^(?:primary|brand|brand-primary)$/.test(word))
    .slice(0, 3)
    .map(({ colour }) => ({ colour, weight: isSeen(colour) ? 40 : 3 }))
  const theme = themeColor === undefined ? undefined : readColour(themeColor)
  if (theme && isChromatic(theme)) votes.push({ colour: theme, weight: isSeen(theme) ? 25 : 12 })
  return votes
}

/** A colour that the page has given a name. */
interface Declared {
  /** What is left of the name without its setting: `--color-primary-500` is `primary`. */
  word: string
  colour: Colour
  /** Every site made with that framework has it, used or not. */
  isOfFramework: boolean
}

const setting = /^-(?:(?:bs|md-sys|wp-preset|theme|site|ui|app|global|e-global)-)?(?:(?:colors?|clr|c)-)?/

function declaredColours({ variables }: StyleSnapshot): Declared[] {
  return variables.flatMap(({ name, value }) => {
    const plain = name.toLowerCase().replace(/[_-]+/g, '-')
    const word = plain.replace(setting, '').replace(/-(?:colors?|default|main|base|500|600)$/, '')
    const colour = readColour(value)
    if (!colour || colour.alpha < 0.5) return []
    return [{ word, colour, isOfFramework: /^-(?:bs|wp)-/.test(plain) }]
  })
}
