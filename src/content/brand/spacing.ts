import { radiusOf } from './buttons.ts'
import { withEvidence } from './evidence.ts'
import type { Painted, PaintedPage } from './painted.ts'
import { commonest, ranked } from './tally.ts'

const units = [12, 10, 8, 6, 4]
/** Fewer distances than this show no rhythm. */
const leastDistances = 8

export function brandSpacing({ elements }: PaintedPage) {
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
  if (distances.length < leastDistances) return undefined
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
