/** A colour as screens show it: channels from 0 to 255, alpha from 0 to 1. */
export interface Colour {
  red: number
  green: number
  blue: number
  alpha: number
}

export const white: Colour = { red: 255, green: 255, blue: 255, alpha: 1 }

/** What is seen when one colour lies over another, which shows through by the first one's alpha. */
export function over(upper: Colour, lower: Colour): Colour {
  const alpha = upper.alpha + lower.alpha * (1 - upper.alpha)
  const mix = (channel: 'red' | 'green' | 'blue') =>
    alpha === 0
      ? 0
      : (upper[channel] * upper.alpha + lower[channel] * lower.alpha * (1 - upper.alpha)) / alpha
  return { red: mix('red'), green: mix('green'), blue: mix('blue'), alpha }
}

export function hexOf({ red, green, blue }: Colour): string {
  const pairs = [red, green, blue].map((channel) => Math.round(channel).toString(16).padStart(2, '0'))
  return `#${pairs.join('').toUpperCase()}`
}

/** How different two colours look: about 0.02 is just visible, black and white are 1 apart. */
export function distance(one: Colour, other: Colour): number {
  const [first, second] = [toOklab(one), toOklab(other)]
  return Math.hypot(first.lightness - second.lightness, first.a - second.a, first.b - second.b)
}

/** How colourful: 0 for greys, about 0.3 for the strongest colours. */
export function chroma(colour: Colour): number {
  const { a, b } = toOklab(colour)
  return Math.hypot(a, b)
}

export function isChromatic(colour: Colour): boolean {
  return chroma(colour) > 0.045
}

/** How light it looks, from 0 to 1. */
export function lightness(colour: Colour): number {
  return toOklab(colour).lightness
}

/** How well one can be read on the other, from 1 to 21, as accessibility guidelines count it. */
export function contrast(one: Colour, other: Colour): number {
  const [first, second] = [luminance(one), luminance(other)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

function luminance(colour: Colour): number {
  const [red, green, blue] = linear(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

type Triple = [number, number, number]

function linear({ red, green, blue }: Colour): Triple {
  return [toLinear(red / 255), toLinear(green / 255), toLinear(blue / 255)]
}

/** The light that a channel from 0 to 1 stands for. */
export function toLinear(channel: number): number {
  return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
}

function toOklab(colour: Colour): { lightness: number; a: number; b: number } {
  const [red, green, blue] = linear(colour)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    a: 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    b: 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  }
}
