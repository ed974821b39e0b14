import type { ElementSample, StyleSnapshot } from '../style-snapshot.ts'
import { blend, type Colour, chroma, distance, readColour, toHex, white } from './colour.ts'

export interface PaintedElement extends ElementSample {
  backdrop: Colour
  fill: Colour | undefined
  textColour: Colour
  borderColour: Colour | undefined
  isInFirstScreen: boolean
}

export interface PaintedPage {
  background: Colour
  elements: PaintedElement[]
}

const darkCanvas: Colour = { red: 18, green: 18, blue: 18, alpha: 1 }
const minVisibleDistance = 0.02

export function readPaintedPage(snapshot: StyleSnapshot): PaintedPage {
  const canvas = snapshot.isDarkCanvas ? darkCanvas : white
  const elements = snapshot.elements
    .filter(({ isConsent }) => !isConsent)
    .map((sample) => paint(sample, canvas, snapshot.viewport.height))
  return { background: getPageBackground(snapshot, elements, canvas), elements }
}

function paint(sample: ElementSample, canvas: Colour, screen: number): PaintedElement {
  const backdrop = sample.behind.reduceRight((lower, layer) => blendVisible(layer, lower) ?? lower, canvas)
  const ownBackground = blendVisible(getFirstStop(sample.gradient) ?? sample.background, backdrop)
  const ground = ownBackground ?? backdrop
  return {
    ...sample,
    backdrop,
    fill: ownBackground && distance(ownBackground, backdrop) > minVisibleDistance ? ownBackground : undefined,
    textColour: blendVisible(sample.color, ground) ?? ground,
    borderColour: sample.border && blendVisible(sample.border.color, ground),
    isInFirstScreen: sample.rect.y < screen,
  }
}

function blendVisible(text: string, lower: Colour): Colour | undefined {
  const colour = readColour(text)
  return colour && colour.alpha > minVisibleDistance ? blend(colour, lower) : undefined
}

function getFirstStop(gradient: string | undefined): string | undefined {
  const stops = gradient?.match(/(?:rgba?|hsla?|oklch|oklab|lab|lch|color)\([^()]*\)|#[0-9a-f]{3,8}\b/gi)
  return stops?.find((stop) => (readColour(stop)?.alpha ?? 0) > 0.5)
}

function getPageBackground(snapshot: StyleSnapshot, elements: PaintedElement[], canvas: Colour): Colour {
  const background = elements
    .filter(({ kind }) => kind === 'page')
    .reduce((lower, { background }) => blendVisible(background, lower) ?? lower, canvas)
  const { width, height } = snapshot.page
  const wrapper = elements.findLast(
    ({ kind, fill, rect }) =>
      kind === 'box' && fill && rect.width > width * 0.9 && rect.height > height * 0.85 && height > 0,
  )
  return wrapper?.fill ?? background
}

export interface ButtonStyle {
  background: Colour
  text: Colour
  border: Colour | undefined
  radius: string
  isFilled: boolean
  isCallToAction: boolean
  count: number
  score: number
}

const callPhrases = [
  ...['get started', 'start', 'sign ?up', 'register', 'join', 'try', 'buy', 'shop', 'order', 'book'],
  ...['subscribe', 'add to (?:cart|bag|basket)', 'download', 'contact', 'request', 'demo', 'free'],
  ...['checkout', 'donate', 'create (?:an )?account', 'jetzt', 'kostenlos', 'kaufen', 'anmelden', 'acheter'],
  ...['essayer', 'commencer', 'comprar', 'empezar', 'prueba'],
]
const callsToAction = new RegExp(`\\b(?:${callPhrases.join('|')})\\b`, 'i')

const consentPattern =
  /\b(?:accept|agree|allow|reject|decline|deny|refuse)\b.{0,20}\b(?:all|cookies?)\b|^(?:accept|i agree|agree|got it|reject|decline|deny|only necessary)$|\b(?:cookies|alle akzeptieren|ablehnen|zustimmen|tout (?:accepter|refuser)|aceptar|rechazar)\b/i

export function getButtonStyles({ elements }: PaintedPage): ButtonStyle[] {
  const buttonStyles = new Map<string, ButtonStyle>()
  for (const button of elements.filter(isButton)) {
    const background = button.fill ?? button.backdrop
    const border =
      button.borderColour && distance(button.borderColour, background) > 0.05
        ? button.borderColour
        : undefined
    if (!button.fill && !border) continue
    const key = `${button.fill ? toHex(button.fill) : ''} ${border ? toHex(border) : ''} ${toHex(button.textColour)}`
    const isCallToAction = callsToAction.test(button.text)
    const score = scoreButton(button, isCallToAction)
    const knownStyle = buttonStyles.get(key)
    if (knownStyle) {
      knownStyle.count += 1
      knownStyle.isCallToAction ||= isCallToAction
      knownStyle.score = Math.max(knownStyle.score, score)
      continue
    }
    buttonStyles.set(key, {
      ...{ background, text: button.textColour, border, radius: radiusOf(button.radius) },
      ...{ isFilled: button.fill !== undefined, isCallToAction, count: 1, score },
    })
  }
  const getWeight = (style: ButtonStyle) => style.score + 4 * Math.log2(style.count)
  return [...buttonStyles.values()].sort((a, b) => getWeight(b) - getWeight(a))
}

function isButton(element: PaintedElement): boolean {
  const { kind, rect, text, padding, font } = element
  const hasButtonSize = rect.height >= 20 && rect.height <= 100 && rect.width >= 36 && rect.width <= 700
  if (!hasButtonSize || text.length < 2 || text.length > 40 || consentPattern.test(text)) return false
  // The default style of a button is not specific to the site.
  const isUnstyled = element.fill !== undefined && toHex(element.fill) === '#EFEFEF' && font.size < 13.5
  if (kind === 'button') return !isUnstyled
  return kind === 'link' && (padding[1] ?? 0) >= 8 && (padding[3] ?? 0) >= 8 && rect.height >= 24
}

function scoreButton(button: PaintedElement, isCallToAction: boolean): number {
  const { rect } = button
  return (
    (isCallToAction ? 30 : 0) +
    (button.isInFirstScreen ? 15 : 0) +
    (button.place === 'footer' ? -15 : 0) +
    (button.fill ? 15 + 60 * chroma(button.fill) + 20 * distance(button.fill, button.backdrop) : 0) +
    Math.log2(1 + rect.width * rect.height)
  )
}

export function radiusOf(text: string): string {
  const [first = '0px'] = text.split(/\s+/)
  return Number.parseFloat(first) >= 999 ? '9999px' : first
}
