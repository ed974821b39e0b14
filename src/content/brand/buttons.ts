import { type Colour, chroma, distance, hexOf } from './colour.ts'
import type { Painted, PaintedPage } from './painted.ts'

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
  ...[
    'get started',
    'start',
    'sign ?up',
    'register',
    'join',
    'try',
    'buy',
    'shop',
    'order',
    'book',
    'subscribe',
  ],
  ...['add to (?:cart|bag|basket)', 'download', 'contact', 'request', 'demo', 'free', 'checkout', 'donate'],
  ...[
    'create (?:an )?account',
    'jetzt',
    'kostenlos',
    'kaufen',
    'anmelden',
    'acheter',
    'essayer',
    'commencer',
  ],
  ...['comprar', 'empezar', 'prueba'],
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
    const key = `${button.fill ? hexOf(button.fill) : ''} ${border ? hexOf(border) : ''} ${hexOf(button.ink)}`
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
  const isUnstyled = element.fill !== undefined && hexOf(element.fill) === '#EFEFEF' && font.size < 13.5
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
