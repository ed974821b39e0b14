export interface Colour {
  red: number
  green: number
  blue: number
  alpha: number
}

export const white: Colour = { red: 255, green: 255, blue: 255, alpha: 1 }

export function blend(upper: Colour, lower: Colour): Colour {
  const alpha = upper.alpha + lower.alpha * (1 - upper.alpha)
  const mix = (channel: 'red' | 'green' | 'blue') =>
    alpha === 0
      ? 0
      : (upper[channel] * upper.alpha + lower[channel] * lower.alpha * (1 - upper.alpha)) / alpha
  return { red: mix('red'), green: mix('green'), blue: mix('blue'), alpha }
}

export function toHex({ red, green, blue }: Colour): string {
  const pairs = [red, green, blue].map((channel) => Math.round(channel).toString(16).padStart(2, '0'))
  return `#${pairs.join('').toUpperCase()}`
}

/** Returns the perceived difference of two colours: about 0.02 is just visible, black and white differ by 1. */
export function distance(left: Colour, right: Colour): number {
  const [first, second] = [toOklab(left), toOklab(right)]
  return Math.hypot(first.lightness - second.lightness, first.a - second.a, first.b - second.b)
}

export function chroma(colour: Colour): number {
  const { a, b } = toOklab(colour)
  return Math.hypot(a, b)
}

export const isChromatic = (colour: Colour) => chroma(colour) > 0.045

export const lightness = (colour: Colour) => toOklab(colour).lightness

export function contrast(left: Colour, right: Colour): number {
  const [first, second] = [getLuminance(left), getLuminance(right)]
  return (Math.max(first, second) + 0.05) / (Math.min(first, second) + 0.05)
}

function getLuminance(colour: Colour): number {
  const [red, green, blue] = toLinearRgb(colour)
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

type Triple = [number, number, number]

function toLinearRgb({ red, green, blue }: Colour): Triple {
  return [toLinear(red / 255), toLinear(green / 255), toLinear(blue / 255)]
}

const toLinear = (channel: number) =>
  channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4

function toOklab(colour: Colour): { lightness: number; a: number; b: number } {
  const [red, green, blue] = toLinearRgb(colour)
  const long = Math.cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
  const medium = Math.cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
  const short = Math.cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
  return {
    lightness: 0.2104542553 * long + 0.793617785 * medium - 0.0040720468 * short,
    a: 1.9779984951 * long - 2.428592205 * medium + 0.4505937099 * short,
    b: 0.0259040371 * long + 0.7827717662 * medium - 0.808675766 * short,
  }
}

export function readColour(text: string): Colour | undefined {
  const normalised = text.trim().toLowerCase()
  if (normalised === 'transparent') return { ...white, alpha: 0 }
  if (normalised.length > 120) return undefined
  return normalised.startsWith('#') ? readHex(normalised.slice(1)) : readFunction(normalised)
}

function readHex(digits: string): Colour | undefined {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return undefined
  const pairs = digits.length < 6 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16))
  return { red, green, blue, alpha: alpha / 255 }
}

interface Notation {
  fullScale: Triple
  toLight(numbers: Triple): Triple
}

function readFunction(text: string): Colour | undefined {
  const parts = /^([a-z-]+)\(([^()]*)\)$/.exec(text)
  const words = parts?.[2]?.trim().split(/[\s,/]+/) ?? []
  const name = parts?.[1] === 'color' ? words.shift() : parts?.[1]
  const notation = notations.get(name ?? '')
  if (!notation || words.length < 3 || words.length > 4) return undefined
  const [first, second, third] = notation.fullScale.map((fullScale, index) =>
    readNumber(words[index] ?? '', fullScale),
  )
  const alpha = words[3] === undefined ? 1 : readNumber(words[3], 1)
  if (first === undefined || second === undefined || third === undefined || alpha === undefined)
    return undefined
  const channels = notation.toLight([first, second, third]).map((light) => toChannel(fromLinear(light)))
  const [red = 0, green = 0, blue = 0] = channels
  return { red, green, blue, alpha: Math.min(1, Math.max(0, alpha)) }
}

const toChannel = (channel: number) => Math.min(1, Math.max(0, Number.isNaN(channel) ? 0 : channel)) * 255

const fromLinear = (channel: number) =>
  channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055

const units = new Map([
  ['', 1],
  ['deg', 1],
  ['grad', 0.9],
  ['rad', 180 / Math.PI],
  ['turn', 360],
])

function readNumber(word: string, fullScale: number): number | undefined {
  if (word === 'none') return 0
  const parts = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(%|[a-z]*)$/.exec(word)
  const number = Number(parts?.[1])
  if (parts?.[2] === '%') return (number / 100) * fullScale
  const unit = units.get(parts?.[2] ?? '')
  return parts && unit !== undefined ? number * unit : undefined
}

const rgb: Notation = {
  fullScale: [255, 255, 255],
  toLight: (numbers) => toLinearTriple(numbers.map((n) => n / 255)),
}
const hsl: Notation = {
  fullScale: [360, 100, 100],
  toLight: ([h, s, l]) => toLinearTriple(fromHsl(h, s / 100, l / 100)),
}
const oklab: Notation = { fullScale: [1, 0.4, 0.4], toLight: fromOklab }
const lab: Notation = { fullScale: [100, 125, 125], toLight: fromLab }

const notations = new Map<string, Notation>([
  ['rgb', rgb],
  ['rgba', rgb],
  ['hsl', hsl],
  ['hsla', hsl],
  ['oklab', oklab],
  ['oklch', { fullScale: [1, 0.4, 360], toLight: (numbers) => fromOklab(fromPolar(numbers)) }],
  ['lab', lab],
  ['lch', { fullScale: [100, 150, 360], toLight: (numbers) => fromLab(fromPolar(numbers)) }],
  ['srgb', { fullScale: [1, 1, 1], toLight: toLinearTriple }],
  ['srgb-linear', { fullScale: [1, 1, 1], toLight: (numbers) => numbers }],
  ['display-p3', { fullScale: [1, 1, 1], toLight: (numbers) => fromDisplayP3(toLinearTriple(numbers)) }],
])

function toLinearTriple(channels: number[]): Triple {
  const [red = 0, green = 0, blue = 0] = channels.map(toLinear)
  return [red, green, blue]
}

function fromHsl(hue: number, saturation: number, light: number): number[] {
  const spread = saturation * Math.min(light, 1 - light)
  return [0, 8, 4].map((step) => {
    const turn = (((step + hue / 30) % 12) + 12) % 12
    return light - spread * Math.max(-1, Math.min(turn - 3, 9 - turn, 1))
  })
}

function fromPolar([light, strength, hue]: Triple): Triple {
  const angle = (hue * Math.PI) / 180
  return [light, strength * Math.cos(angle), strength * Math.sin(angle)]
}

function fromOklab([light, a, b]: Triple): Triple {
  const long = (light + 0.3963377774 * a + 0.2158037573 * b) ** 3
  const medium = (light - 0.1055613458 * a - 0.0638541728 * b) ** 3
  const short = (light - 0.0894841775 * a - 1.291485548 * b) ** 3
  return [
    4.0767416621 * long - 3.3077115913 * medium + 0.2309699292 * short,
    -1.2684380046 * long + 2.6097574011 * medium - 0.3413193965 * short,
    -0.0041960863 * long - 0.7034186147 * medium + 1.707614701 * short,
  ]
}

/** Converts Lab by way of XYZ with white point D50, on which CSS Lab is defined. */
function fromLab([light, a, b]: Triple): Triple {
  const height = (light + 16) / 116
  const stretched = (value: number) =>
    value ** 3 > 216 / 24389 ? value ** 3 : (116 * value - 16) * (27 / 24389)
  const x = 0.9642956764 * stretched(height + a / 500)
  const y = light > 8 ? height ** 3 : light * (27 / 24389)
  const z = 0.8251046025 * stretched(height - b / 200)
  return [
    3.1341359569 * x - 1.6173863321 * y - 0.490661946 * z,
    -0.9787955575 * x + 1.9162543774 * y + 0.0334427339 * z,
    0.071955378 * x - 0.2289768264 * y + 1.4053860351 * z,
  ]
}

function fromDisplayP3([red, green, blue]: Triple): Triple {
  return [
    1.2249401763 * red - 0.2249401763 * green,
    -0.0420569547 * red + 1.0420569547 * green,
    -0.0196375546 * red - 0.0786360656 * green + 1.0982736201 * blue,
  ]
}
