import { type Colour, toLinear, white } from './colour.ts'

/** Parses a colour in any notation that browsers use. Undefined if it is not one. */
export function readColour(text: string): Colour | undefined {
  const written = text.trim().toLowerCase()
  if (written === 'transparent') return { ...white, alpha: 0 }
  if (written.length > 120) return undefined
  return written.startsWith('#') ? readHex(written.slice(1)) : readFunction(written)
}

function readHex(digits: string): Colour | undefined {
  if (!/^(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/.test(digits)) return undefined
  const pairs = digits.length < 6 ? [...digits].map((digit) => digit + digit) : (digits.match(/../g) ?? [])
  const [red = 0, green = 0, blue = 0, alpha = 255] = pairs.map((pair) => Number.parseInt(pair, 16))
  return { red, green, blue, alpha: alpha / 255 }
}

type Triple = [number, number, number]

/** A notation: what 100% of each of its three numbers means, and the linear light they stand for. */
interface Notation {
  whole: Triple
  toLight(numbers: Triple): Triple
}

function readFunction(written: string): Colour | undefined {
  const parts = /^([a-z-]+)\(([^()]*)\)$/.exec(written)
  const words = parts?.[2]?.trim().split(/[\s,/]+/) ?? []
  const name = parts?.[1] === 'color' ? words.shift() : parts?.[1]
  const notation = notations.get(name ?? '')
  if (!notation || words.length < 3 || words.length > 4) return undefined
  const [first, second, third] = notation.whole.map((whole, index) => readNumber(words[index] ?? '', whole))
  const alpha = words[3] === undefined ? 1 : readNumber(words[3], 1)
  if (first === undefined || second === undefined || third === undefined || alpha === undefined)
    return undefined
  const channels = notation.toLight([first, second, third]).map((light) => shown(fromLinear(light)))
  const [red = 0, green = 0, blue = 0] = channels
  return { red, green, blue, alpha: Math.min(1, Math.max(0, alpha)) }
}

function shown(channel: number): number {
  return Math.min(1, Math.max(0, Number.isNaN(channel) ? 0 : channel)) * 255
}

function fromLinear(channel: number): number {
  return channel <= 0.0031308 ? channel * 12.92 : 1.055 * channel ** (1 / 2.4) - 0.055
}

const units = new Map([
  ['', 1],
  ['deg', 1],
  ['grad', 0.9],
  ['rad', 180 / Math.PI],
  ['turn', 360],
])

function readNumber(word: string, whole: number): number | undefined {
  if (word === 'none') return 0
  const parts = /^([-+]?(?:\d+\.?\d*|\.\d+)(?:e[-+]?\d+)?)(%|[a-z]*)$/.exec(word)
  const number = Number(parts?.[1])
  if (parts?.[2] === '%') return (number / 100) * whole
  const unit = units.get(parts?.[2] ?? '')
  return parts && unit !== undefined ? number * unit : undefined
}

const rgb: Notation = { whole: [255, 255, 255], toLight: (numbers) => lights(numbers.map((n) => n / 255)) }
const hsl: Notation = { whole: [360, 100, 100], toLight: ([h, s, l]) => lights(fromHsl(h, s / 100, l / 100)) }
const oklab: Notation = { whole: [1, 0.4, 0.4], toLight: fromOklab }
const lab: Notation = { whole: [100, 125, 125], toLight: fromLab }

const notations = new Map<string, Notation>([
  ['rgb', rgb],
  ['rgba', rgb],
  ['hsl', hsl],
  ['hsla', hsl],
  ['oklab', oklab],
  ['oklch', { whole: [1, 0.4, 360], toLight: (numbers) => fromOklab(fromPolar(numbers)) }],
  ['lab', lab],
  ['lch', { whole: [100, 150, 360], toLight: (numbers) => fromLab(fromPolar(numbers)) }],
  ['srgb', { whole: [1, 1, 1], toLight: lights }],
  ['srgb-linear', { whole: [1, 1, 1], toLight: (numbers) => numbers }],
  ['display-p3', { whole: [1, 1, 1], toLight: (numbers) => fromDisplayP3(lights(numbers)) }],
])

function lights(channels: number[]): Triple {
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

/** By way of the tristimulus values under the white of print, which this notation is defined on. */
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
