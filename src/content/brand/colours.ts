import type { StyleSnapshot } from '../style-snapshot.ts'
import { seenVotes, statedVotes } from './brand-votes.ts'
import type { ButtonLook } from './buttons.ts'
import { type Colour, distance, hexOf, isChromatic } from './colour.ts'
import { type Declared, declaredColours } from './declared.ts'
import { withEvidence } from './evidence.ts'
import type { PaintedPage } from './painted.ts'
import { tally } from './tally.ts'
import { linkColour, textColours } from './text-colours.ts'

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
  return colour && hexOf(colour)
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
