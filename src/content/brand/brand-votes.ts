import type { StyleSnapshot } from '../style-snapshot.ts'
import type { ButtonLook } from './buttons.ts'
import { type Colour, hexOf, isChromatic } from './colour.ts'
import type { Declared } from './declared.ts'
import type { Painted, PaintedPage } from './painted.ts'
import { readColour } from './read-colour.ts'
import { tally, type Vote } from './tally.ts'

/** Links of this colour were never styled. */
const unstyledLink = '#0000EE'

/** Colours that stand somewhere on the page, by how much they say about the brand. */
export function seenVotes(page: PaintedPage, looks: ButtonLook[]): Vote[] {
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
      elements.filter((one) => one.kind === kind && hexOf(one.ink) !== unstyledLink).map(({ ink }) => ink),
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
    const known = areas.get(hexOf(fill)) ?? { colour: fill, area: 0, isHeader: false }
    const isHeader = known.isHeader || (place === 'header' && tag === 'header')
    areas.set(hexOf(fill), { colour: fill, area: known.area + rect.width * rect.height, isHeader })
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
export function statedVotes(
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
