import { type Colour, chroma, contrast, distance, isChromatic } from './colour.ts'
import type { PaintedPage } from './painted.ts'
import { tally, type Vote } from './tally.ts'

/** What most of the text is written in, and what its lesser parts are. */
export function textColours({ elements, background }: PaintedPage) {
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
export function linkColour({ elements, background }: PaintedPage): Colour | undefined {
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
