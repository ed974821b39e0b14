import { describe, expect, it } from 'vitest'
import {
  blend,
  chroma,
  contrast,
  distance,
  isChromatic,
  lightness,
  readColour,
  toHex,
  white,
} from './colour.ts'

const hex = (text: string) => {
  const colour = readColour(text)
  return colour && toHex(colour)
}
const colour = (text: string) => readColour(text) ?? white

describe('readColour', () => {
  it.each([
    ['#09f', '#0099FF'],
    ['#0099ff', '#0099FF'],
    ['rgb(0, 153, 255)', '#0099FF'],
    ['rgb(0% 60% 100%)', '#0099FF'],
    ['rgba(0, 153, 255, 0.5)', '#0099FF'],
    ['hsl(204, 100%, 50%)', '#0099FF'],
    ['hsl(204deg 100% 50% / 20%)', '#0099FF'],
    ['hsl(-156 100 50)', '#0099FF'],
    ['oklch(0.6279553606 0.2576833077 29.2338801)', '#FF0000'],
    ['oklab(62.796% 0.22486 0.12585)', '#FF0000'],
    ['oklch(1 none none)', '#FFFFFF'],
    ['lab(54.29 80.80 69.89)', '#FF0000'],
    ['lch(54.29 106.84 40.85)', '#FF0000'],
    ['color(srgb 0 0.6 1)', '#0099FF'],
    ['color(display-p3 1 0 0)', '#FF0000'],
    ['color(srgb-linear 1 1 1 / 0.5)', '#FFFFFF'],
  ])('reads %s', (text, expected) => {
    expect(hex(text)).toBe(expected)
  })

  it.each([
    '',
    'none',
    '#12',
    '#12345',
    '#ggg',
    'rgb(1, 2)',
    'rgb(a, b, c)',
    'url(x)',
    'var(--x)',
    `#${'0'.repeat(500)}`,
  ])('returns undefined for %j', (text) => {
    expect(readColour(text)).toBeUndefined()
  })

  it.each([
    ['transparent', 0],
    ['#00000080', 128 / 255],
    ['rgba(0, 0, 0, 0.25)', 0.25],
    ['rgb(0 0 0 / 25%)', 0.25],
    ['rgb(0 0 0 / 7)', 1],
  ])('reads the alpha of %s', (text, alpha) => {
    expect(readColour(text)?.alpha).toBeCloseTo(alpha, 5)
  })
})

describe('colour functions', () => {
  it('blend by alpha', () => {
    expect(toHex(blend(colour('rgba(0, 0, 0, 0.5)'), white))).toBe('#808080')
    expect(toHex(blend(colour('rgba(255, 0, 0, 0.1)'), colour('#000')))).toBe('#1A0000')
    expect(toHex(blend(colour('transparent'), colour('#123456')))).toBe('#123456')
    expect(toHex(blend(colour('#123456'), white))).toBe('#123456')
  })

  it('blend two translucent colours', () => {
    const both = blend(colour('rgba(255, 255, 255, 0.5)'), colour('rgba(0, 0, 0, 0.5)'))
    expect(both.alpha).toBeCloseTo(0.75)
  })

  it('return the perceived difference', () => {
    expect(distance(colour('#000'), white)).toBeCloseTo(1, 2)
    expect(distance(colour('#2563EB'), colour('#2563EC'))).toBeLessThan(0.01)
    expect(distance(colour('#2563EB'), colour('#DC2626'))).toBeGreaterThan(0.3)
  })

  it('return the WCAG contrast', () => {
    expect(contrast(colour('#000'), white)).toBeCloseTo(21, 5)
    expect(contrast(colour('#777'), white)).toBeCloseTo(4.48, 2)
  })

  it('return chroma and lightness', () => {
    expect(['#111827', '#6B7280', '#FFFFFF'].map((grey) => isChromatic(colour(grey)))).toEqual([
      false,
      false,
      false,
    ])
    expect(['#2563EB', '#FDE68A', '#7F1D1D'].map((strong) => isChromatic(colour(strong)))).toEqual([
      true,
      true,
      true,
    ])
    expect(chroma(colour('#FF0000'))).toBeGreaterThan(chroma(colour('#FF9999')))
    expect(lightness(colour('#FFFF00'))).toBeGreaterThan(lightness(colour('#0000FF')))
  })
})
