import type { ElementSample, StyleSnapshot } from '../style-snapshot.ts'
import { type Colour, chroma, distance, over, readColour, toHex, white } from './colour.ts'

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

export function readPaintedPage(snapshot: StyleSnapshot): PaintedPage {
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

/** Buttons of one appearance. */
export interface ButtonLook {
  background: Colour
  text: Colour
  border: Colour | undefined
  radius: string
  isFilled: boolean
  /** Some button of this look asks for what the page wants most. */
  isCallToAction: boolean
  count: number
  score: number
}

const callPhrases = [
  ...['get started', 'start', 'sign ?up', 'register', 'join', 'try', 'buy', 'shop', 'order', 'book'],
  ...[
    'subscribe',
    'add to (?:cart|bag|basket)',
    'download',
    'contact',
    'request',
    'demo',
    'free',
    'checkout',
  ],
  ...['donate', 'create (?:an )?account', 'jetzt', 'kostenlos', 'kaufen', 'anmelden', 'acheter'],
  ...['essayer', 'commencer', 'comprar', 'empezar', 'prueba'],
]
const callsToAction = new RegExp(`\\b(?:${callPhrases.join('|')})\\b`, 'i')

const consents = [
  '\\b(?:accept|agree|allow|reject|decline|deny|refuse)\\b.{0,20}\\b(?:all|cookies?)\\b',
  '^(?:accept|i agree|agree|got it|reject|decline|deny|only necessary)$',
  '\\b(?:cookies|alle akzeptieren|ablehnen|zustimmen|tout (?:accepter|refuser)|aceptar|rechazar)\\b',
]
const consent = new RegExp(consents.join('|'), 'i')

/** How the buttons of a page look, the most important look first. */
export function buttonLooks({ elements }: PaintedPage): ButtonLook[] {
  const looks = new Map<string, ButtonLook>()
  for (const button of elements.filter(isButton)) {
    const background = button.fill ?? button.backdrop
    const border = button.edge && distance(button.edge, background) > 0.05 ? button.edge : undefined
    if (!button.fill && !border) continue
    const key = `${button.fill ? toHex(button.fill) : ''} ${border ? toHex(border) : ''} ${toHex(button.ink)}`
    const isCallToAction = callsToAction.test(button.text)
    const score = scoreOf(button, isCallToAction)
    const known = looks.get(key)
    if (known) {
      known.count += 1
      known.isCallToAction ||= isCallToAction
      known.score = Math.max(known.score, score)
      continue
    }
    looks.set(key, {
      ...{ background, text: button.ink, border, radius: radiusOf(button.radius) },
      ...{ isFilled: button.fill !== undefined, isCallToAction, count: 1, score },
    })
  }
  const weight = (look: ButtonLook) => look.score + 4 * Math.log2(look.count)
  return [...looks.values()].sort((one, other) => weight(other) - weight(one))
}

function isButton(element: Painted): boolean {
  const { kind, rect, text, padding, font } = element
  const hasButtonSize = rect.height >= 20 && rect.height <= 100 && rect.width >= 36 && rect.width <= 700
  if (!hasButtonSize || text.length < 2 || text.length > 40 || consent.test(text)) return false
  // The default style of an unstyled button says nothing about the site.
  const isUnstyled = element.fill !== undefined && toHex(element.fill) === '#EFEFEF' && font.size < 13.5
  if (kind === 'button') return !isUnstyled
  return kind === 'link' && (padding[1] ?? 0) >= 8 && (padding[3] ?? 0) >= 8 && rect.height >= 24
}

function scoreOf(button: Painted, isCallToAction: boolean): number {
  const { rect } = button
  return (
    (isCallToAction ? 30 : 0) +
    (button.isInFirstScreen ? 15 : 0) +
    (button.place === 'footer' ? -15 : 0) +
    (button.fill ? 15 + 60 * chroma(button.fill) + 20 * distance(button.fill, button.backdrop) : 0) +
    Math.log2(1 + rect.width * rect.height)
  )
}

/** A corner as written; rounding without end is written in many ways. */
export function radiusOf(written: string): string {
  const [first = '0px'] = written.split(/\s+/)
  return Number.parseFloat(first) >= 999 ? '9999px' : first
}
