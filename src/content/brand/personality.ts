import { type Colour, chroma, distance, isChromatic, lightness } from './colour.ts'
import { countEach, findCommonest, omitEmpty, tallyEach } from './evidence.ts'
import type { ButtonStyle, PaintedElement, PaintedPage } from './painted.ts'

export const tones = ['professional', 'playful', 'modern', 'traditional', 'minimalist', 'bold'] as const
export const energies = ['low', 'medium', 'high'] as const

type Tone = (typeof tones)[number]

const minSignals = 3
const minHeadings = 2

/** Omits traits that too few signals support. The target audience is not visible in styles, and is never reported. */
export function getBrandPersonality(page: PaintedPage, buttonStyles: ButtonStyle[]) {
  const headings = page.elements.filter(({ kind }) => kind === 'heading')
  if (headings.length < minHeadings || buttonStyles.length === 0) return {}
  const traits = readTraits(page, buttonStyles, headings)
  return omitEmpty({ tone: getTone(traits), energy: getEnergy(traits) })
}

interface Traits {
  corners: 'sharp' | 'soft' | 'round' | undefined
  letters: 'serif' | 'sans' | undefined
  isTextSerif: boolean
  isHeavy: boolean
  isLarge: boolean
  isDark: boolean
  hues: number
  strength: number
  hasGradients: boolean
  isMoving: boolean
}

function readTraits(
  { elements, background }: PaintedPage,
  buttonStyles: ButtonStyle[],
  headings: PaintedElement[],
): Traits {
  const colours = collectColours(elements, buttonStyles)
  const text = elements.filter(({ kind, textLength }) => kind === 'text' && textLength > 0)
  return {
    corners: getCorners(buttonStyles),
    letters: getLetters(headings),
    isTextSerif: getLetters(text) === 'serif',
    isHeavy: (findCommonest(countEach(headings.map(({ font }) => font.weight))) ?? 0) >= 800,
    isLarge: headings.some(({ font }) => font.size >= 48),
    isDark: lightness(background) < 0.5,
    hues: colours.length,
    strength: Math.max(0, ...colours.map(chroma)),
    hasGradients: elements.filter(({ gradient }) => gradient !== undefined).length >= 2,
    isMoving: elements.filter(({ transition }) => transition !== undefined).length >= 5,
  }
}

function collectColours(elements: PaintedElement[], buttonStyles: ButtonStyle[]): Colour[] {
  const elementColours = elements.flatMap(({ kind, fill, textColour }) => {
    if (kind === 'heading' || kind === 'icon') return [textColour]
    return fill && kind !== 'input' ? [fill] : []
  })
  const used = [...buttonStyles.map(({ background }) => background), ...elementColours].filter(isChromatic)
  const distinct: Colour[] = []
  for (const { colour } of tallyEach(used))
    if (distinct.every((other) => distance(colour, other) > 0.12)) distinct.push(colour)
  return distinct.slice(0, 12)
}

function getCorners(buttonStyles: ButtonStyle[]): Traits['corners'] {
  const radius = findCommonest(buttonStyles.map(({ radius, count }) => ({ value: radius, weight: count })))
  if (radius === undefined) return undefined
  const length = Number.parseFloat(radius)
  if (radius.endsWith('%') ? length >= 40 : length >= 18) return 'round'
  return length <= 1 ? 'sharp' : 'soft'
}

const serifNames =
  /georgia|times|garamond|baskerville|caslon|bodoni|didot|playfair|merriweather|lora\b|cormorant|spectral|crimson|palatino|cambria|\bserif\b/i

function getLetters(elements: PaintedElement[]): Traits['letters'] {
  const kinds = elements.map(({ font }) => {
    const stack = font.family.replace(/sans[- ]serif/gi, '')
    const isSerif = serifNames.test(stack.split(',')[0] ?? '') || /\bserif\s*$/i.test(stack)
    return isSerif ? 'serif' : 'sans'
  })
  return findCommonest(countEach(kinds))
}

function getTone(traits: Traits): Tone | undefined {
  const { corners, letters, hues, strength, isHeavy, isLarge, isDark } = traits
  const isStrong = strength > 0.14
  const signals: Record<Tone, boolean[]> = {
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
    .map((tone) => ({ tone, count: signals[tone].filter(Boolean).length }))
    .sort((a, b) => b.count - a.count)
  const [first, second] = counts
  if (!first || first.count < minSignals || first.count === second?.count) return undefined
  return first.tone
}

function getEnergy(traits: Traits): (typeof energies)[number] {
  const { strength, hues, isHeavy, isLarge, hasGradients, isMoving } = traits
  const signals = [strength > 0.07, strength > 0.16, hues >= 3, isHeavy && isLarge, hasGradients, isMoving]
  const count = signals.filter(Boolean).length
  return count <= 1 ? 'low' : count <= 3 ? 'medium' : 'high'
}
