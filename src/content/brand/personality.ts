import { type Colour, chroma, distance, isChromatic, lightness } from './colour.ts'
import { commonest, tally, withEvidence } from './evidence.ts'
import type { ButtonLook, Painted, PaintedPage } from './painted.ts'

export const tones = ['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold'] as const
export const energies = ['low', 'medium', 'high'] as const

type Tone = (typeof tones)[number]

/** Number of signals that must agree on a tone before it is reported. */
const minSigns = 3
/** Fewer headings than this, and the page was hardly designed. */
const minHeadings = 2

/**
 * What shapes, letters and colours say of a brand, by signs that can be named; left out where too few of them agree.
 * For whom a site is made cannot be seen in its styles, and is never reported.
 */
export function brandPersonality(page: PaintedPage, looks: ButtonLook[]) {
  const headings = page.elements.filter(({ kind }) => kind === 'heading')
  if (headings.length < minHeadings || looks.length === 0) return {}
  const traits = traitsOf(page, looks, headings)
  return withEvidence({ tone: toneOf(traits), energy: energyOf(traits) })
}

interface Traits {
  corners: 'sharp' | 'soft' | 'round' | undefined
  letters: 'serif' | 'sans' | undefined
  isTextSerif: boolean
  isHeavy: boolean
  isLarge: boolean
  isDark: boolean
  /** Colours that look different, greys left out. */
  hues: number
  /** That of the strongest colour in use. */
  strength: number
  hasGradients: boolean
  isMoving: boolean
}

function traitsOf({ elements, background }: PaintedPage, looks: ButtonLook[], headings: Painted[]): Traits {
  const colours = coloursOf(elements, looks)
  const text = elements.filter(({ kind, textLength }) => kind === 'text' && textLength > 0)
  return {
    corners: cornersOf(looks),
    letters: lettersOf(headings),
    isTextSerif: lettersOf(text) === 'serif',
    isHeavy: (commonest(headings.map(({ font }) => ({ value: font.weight, weight: 1 }))) ?? 0) >= 800,
    isLarge: headings.some(({ font }) => font.size >= 48),
    isDark: lightness(background) < 0.5,
    hues: colours.length,
    strength: Math.max(0, ...colours.map(chroma)),
    hasGradients: elements.filter(({ gradient }) => gradient !== undefined).length >= 2,
    isMoving: elements.filter(({ transition }) => transition !== undefined).length >= 5,
  }
}

/** Colours of grounds, buttons, headings and icons; text and links have theirs for other reasons. */
function coloursOf(elements: Painted[], looks: ButtonLook[]): Colour[] {
  const painted = elements.flatMap(({ kind, fill, ink }) => {
    if (kind === 'heading' || kind === 'icon') return [ink]
    return fill && kind !== 'input' ? [fill] : []
  })
  const votes = [...looks.map(({ background }) => background), ...painted]
    .filter(isChromatic)
    .map((colour) => ({ colour, weight: 1 }))
  const apart: Colour[] = []
  for (const { colour } of tally(votes)) {
    if (apart.length < 12 && apart.every((other) => distance(colour, other) > 0.12)) apart.push(colour)
  }
  return apart
}

function cornersOf(looks: ButtonLook[]): Traits['corners'] {
  const radius = commonest(looks.map(({ radius, count }) => ({ value: radius, weight: count })))
  if (radius === undefined) return undefined
  const length = Number.parseFloat(radius)
  if (radius.endsWith('%') ? length >= 40 : length >= 18) return 'round'
  return length <= 1 ? 'sharp' : 'soft'
}

const serifs =
  /georgia|times|garamond|baskerville|caslon|bodoni|didot|playfair|merriweather|lora\b|cormorant|spectral|crimson|palatino|cambria|\bserif\b/i

/** The kind of font of most of these elements; a stack is classified by its first name, or by the generic one at its end. */
function lettersOf(elements: Painted[]): Traits['letters'] {
  return commonest(
    elements.map(({ font }) => {
      const stack = font.family.replace(/sans[- ]serif/gi, '')
      const isSerif = serifs.test(stack.split(',')[0] ?? '') || /\bserif\s*$/i.test(stack)
      return { value: isSerif ? ('serif' as const) : ('sans' as const), weight: 1 }
    }),
  )
}

/** The tone that most signals support, if no other has as many. */
function toneOf(traits: Traits): Tone | undefined {
  const { corners, letters, hues, strength, isHeavy, isLarge, isDark } = traits
  const isStrong = strength > 0.14
  const signs: Record<Tone, boolean[]> = {
    playful: [corners === 'round', hues >= 3, isStrong, letters === 'sans' && hues >= 4],
    bold: [isHeavy, isLarge, isStrong, isDark],
    traditional: [letters === 'serif', traits.isTextSerif, corners === 'sharp', !isStrong],
    minimalist: [hues === 0, !traits.hasGradients && hues <= 1, !isHeavy && hues <= 1, letters === 'sans'],
    modern: [
      letters === 'sans' && isLarge,
      corners !== 'sharp' && isLarge,
      traits.hasGradients,
      traits.isMoving,
    ],
    professional: [letters === 'sans' && !isHeavy, corners === 'soft', hues === 1 || hues === 2, !isLarge],
  }
  const counts = tones
    .map((tone) => ({ tone, count: signs[tone].filter(Boolean).length }))
    .sort((one, other) => other.count - one.count)
  const [first, second] = counts
  if (!first || first.count < minSigns || first.count === second?.count) return undefined
  return first.tone
}

function energyOf(traits: Traits): (typeof energies)[number] {
  const { strength, hues, isHeavy, isLarge, hasGradients, isMoving } = traits
  const signs = [strength > 0.07, strength > 0.16, hues >= 3, isHeavy && isLarge, hasGradients, isMoving]
  const count = signs.filter(Boolean).length
  return count <= 1 ? 'low' : count <= 3 ? 'medium' : 'high'
}
