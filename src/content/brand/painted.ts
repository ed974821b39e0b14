import type { ElementSample, StyleSnapshot } from '../style-snapshot.ts'
import { type Colour, distance, over, white } from './colour.ts'
import { readColour } from './read-colour.ts'

/** An element with its colours as they are seen: nothing shows through any more. */
export interface Painted extends ElementSample {
  /** What lies behind it. */
  backdrop: Colour
  /** Its own background, if it differs visibly from the one behind it. */
  fill: Colour | undefined
  ink: Colour
  edge: Colour | undefined
  isInFirstScreen: boolean
}

export interface PaintedPage {
  background: Colour
  /** Without what asks for consent, which is seldom in the colours of the site. */
  elements: Painted[]
}

/** The ground that browsers show in dark mode where a page paints none. */
const darkCanvas: Colour = { red: 18, green: 18, blue: 18, alpha: 1 }

/** Below this two grounds next to each other look like one. */
const visible = 0.02

export function paintedPage(snapshot: StyleSnapshot): PaintedPage {
  const canvas = snapshot.isDarkCanvas ? darkCanvas : white
  const elements = snapshot.elements
    .filter(({ isConsent }) => !isConsent)
    .map((sample) => painted(sample, canvas, snapshot.viewport.height))
  return { background: pageBackground(snapshot, elements, canvas), elements }
}

function painted(sample: ElementSample, canvas: Colour, screen: number): Painted {
  const backdrop = sample.behind.reduceRight((lower, layer) => laid(layer, lower) ?? lower, canvas)
  const own = laid(firstStop(sample.gradient) ?? sample.background, backdrop)
  const ground = own ?? backdrop
  return {
    ...sample,
    backdrop,
    fill: own && distance(own, backdrop) > visible ? own : undefined,
    ink: laid(sample.color, ground) ?? ground,
    edge: sample.border && laid(sample.border.color, ground),
    isInFirstScreen: sample.rect.y < screen,
  }
}

/** The colour over another one. Undefined if it is not visible. */
function laid(written: string, lower: Colour): Colour | undefined {
  const colour = readColour(written)
  return colour && colour.alpha > visible ? over(colour, lower) : undefined
}

function firstStop(gradient: string | undefined): string | undefined {
  const stops = gradient?.match(/(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\([^()]*\)|#[0-9a-f]{3,8}\b/gi)
  return stops?.find((stop) => (readColour(stop)?.alpha ?? 0) > 0.5)
}

/** That of the page itself, unless a box that holds all of it paints over it. */
function pageBackground(snapshot: StyleSnapshot, elements: Painted[], canvas: Colour): Colour {
  const own = elements
    .filter(({ kind }) => kind === 'page')
    .reduce((lower, { background }) => laid(background, lower) ?? lower, canvas)
  const { width, height } = snapshot.page
  const wrapper = elements.findLast(
    ({ kind, fill, rect }) =>
      kind === 'box' && fill && rect.width > width * 0.9 && rect.height > height * 0.85 && height > 0,
  )
  return wrapper?.fill ?? own
}
