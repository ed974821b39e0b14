import { describe, expect, it } from 'vitest'
import { button, element, link, paragraph, snapshot } from '../../../test/samples/styles.ts'
import type { ElementSample, LogoCandidate, StyleSnapshot } from '../style-snapshot.ts'
import { extractBrand } from './brand.ts'

const colours = (elements: ElementSample[], given: Partial<StyleSnapshot> = {}) =>
  extractBrand(snapshot(elements, given)).colors

const teal = 'rgb(15, 118, 110)'
const black = 'rgb(0, 0, 0)'

describe('primary colour', () => {
  it('is the colour of the buttons', () => {
    expect(colours([paragraph(), button('Get started', { background: teal })])?.primary).toBe('#0F766E')
  })

  it('is blended with the backgrounds behind it', () => {
    const shade = {
      background: 'rgba(15, 118, 110, 0.5)',
      behind: ['rgba(0, 0, 0, 0.5)', 'rgb(255, 255, 255)'],
    }
    expect(colours([button('Get started', shade)])?.primary).toBe('#477B77')
  })

  it('is not the colour of a consent dialog', () => {
    const consent = [
      button('Continue', { background: 'rgb(255, 0, 170)', isConsent: true }),
      button('Accept all', { background: 'rgb(255, 0, 170)' }),
    ]
    expect(colours([...consent, button('Sign up', { background: teal })])?.primary).toBe('#0F766E')
  })

  it('is black if buttons are black and only links are blue', () => {
    const links = Array.from({ length: 30 }, () => link({ color: 'rgb(0, 102, 204)' }))
    expect(colours([...links, button('Shop now', { background: black })])).toMatchObject({
      ...{ primary: '#000000', link: '#0066CC' },
    })
  })

  it('is the declared colour if it is used, even if others are used equally', () => {
    const buttons = [button('One', { background: 'rgb(220, 38, 38)' }), button('Two', { background: teal })]
    const variables = [{ name: '--color-primary-500', value: '#0f766e' }]
    expect(colours(buttons, { variables })?.primary).toBe('#0F766E')
  })

  it('is not a colour that a framework declares and the page does not use', () => {
    const variables = [{ name: '--bs-primary', value: '#0d6efd' }]
    expect(colours([button('Buy', { background: teal })], { variables })?.primary).toBe('#0F766E')
  })

  it('adds up similar shades', () => {
    const red = button('Order', { background: 'rgb(220, 38, 38)' })
    const shades = [button('Look', { background: 'rgb(16, 118, 110)' }), button('See', { background: teal })]
    const more = [button('View', { background: 'rgb(15, 119, 110)' })]
    expect(colours([red, ...shades, ...more])?.primary).toMatch(/^#(?:0F|10)7[67]6E$/)
  })

  it('is absent without evidence', () => {
    expect(colours([paragraph()])).toEqual({ background: '#FFFFFF', textPrimary: '#111827' })
  })
})

describe('other colours', () => {
  it('are secondary and accent by weight, and differ from each other', () => {
    const elements = [
      button('Get started', { background: teal }),
      button('Details', { background: 'rgb(245, 158, 11)' }),
      button('Hover', { background: 'rgb(17, 130, 121)' }),
      ...Array.from({ length: 5 }, () =>
        element('heading', { text: 'A', textLength: 9, color: 'rgb(124, 58, 237)' }),
      ),
    ]
    expect(colours(elements)).toMatchObject({ primary: '#0F766E', secondary: '#F59E0B', accent: '#7C3AED' })
  })

  it.each([
    ['one that is declared and on no ground', '--color-secondary', '#0369A1'],
    ['one of the brand', '--brand-secondary', '#0369A1'],
    ['not one that only comes with a framework', '--bs-secondary', undefined],
  ])('are %s, but not the green of success', (_, name, secondary) => {
    const note = element('box', {
      background: 'rgb(22, 163, 74)',
      rect: { x: 0, y: 0, width: 1280, height: 300 },
    })
    const variables = [
      { name, value: '#0369a1' },
      { name: '--color-success', value: '#16a34a' },
    ]
    const seen = colours([button('Get started', { background: teal }), note, note], { variables })
    expect([seen?.primary, seen?.secondary, seen?.success]).toEqual(['#0F766E', secondary, '#16A34A'])
    expect(seen?.accent).not.toBe('#16A34A')
  })

  it('of text are the primary and the secondary text colour', () => {
    const muted = paragraph({ color: 'rgb(107, 114, 128)' })
    expect(colours([paragraph(), paragraph(), muted])).toMatchObject({
      ...{ textPrimary: '#111827', textSecondary: '#6B7280' },
    })
  })

  it('of text exclude text on other backgrounds', () => {
    const footer = { behind: ['rgb(17, 24, 39)'], color: 'rgb(255, 255, 255)' }
    expect(colours([paragraph(), ...Array.from({ length: 20 }, () => paragraph(footer))])?.textPrimary).toBe(
      '#111827',
    )
  })

  it.each([
    ['--success', '#16a34a', 'success'],
    ['--color-warning', '#f59e0b', 'warning'],
    ['--danger', '#dc2626', 'error'],
  ])('have the role that %s declares', (name, value, role) => {
    expect(colours([paragraph()], { variables: [{ name, value }] })).toMatchObject({
      [role]: value.toUpperCase(),
    })
  })
})

describe('colour scheme', () => {
  it('is dark for a dark page', () => {
    const page = element('page', { background: 'rgb(11, 16, 32)', behind: [] })
    const brand = extractBrand(
      snapshot([page, paragraph({ behind: ['rgb(11, 16, 32)'], color: 'rgb(229, 231, 235)' })]),
    )
    expect(brand).toMatchObject({
      colorScheme: 'dark',
      colors: { background: '#0B1020', textPrimary: '#E5E7EB' },
    })
  })

  it('is that of a box around the complete page', () => {
    const rect = { x: 0, y: 0, width: 1280, height: 3000 }
    expect(extractBrand(snapshot([element('box', { background: black, rect })])).colorScheme).toBe('dark')
  })

  it('is not that of a dark first screen', () => {
    const rect = { x: 0, y: 0, width: 1280, height: 800 }
    expect(extractBrand(snapshot([element('box', { background: black, rect })])).colorScheme).toBe('light')
  })

  it('is dark if the browser uses a dark default background', () => {
    const elements = [element('page', { behind: [] })]
    expect(extractBrand(snapshot([], { elements, isDarkCanvas: true })).colorScheme).toBe('dark')
  })
})

describe('buttons', () => {
  const padding = [12, 24, 12, 24]

  it('include links that look like buttons', () => {
    const rect = { x: 0, y: 300, width: 140, height: 44 }
    const buttonLink = link({
      text: 'Get started',
      background: teal,
      color: 'rgb(255, 255, 255)',
      padding,
      rect,
    })
    expect(extractBrand(snapshot([buttonLink])).components?.buttonPrimary).toEqual({
      ...{ background: '#0F766E', textColor: '#FFFFFF', borderRadius: '0px' },
    })
  })

  it('are primary and secondary by call to action and look', () => {
    const outlined = button('Watch the tour', {
      border: { width: 1, color: teal },
      color: teal,
      radius: '8px',
    })
    const filled = button('Sign up', {
      gradient: `linear-gradient(${teal}, rgb(0, 0, 0))`,
      radius: '3.35544e+07px',
    })
    expect(extractBrand(snapshot([outlined, filled])).components).toEqual({
      buttonPrimary: { background: '#0F766E', textColor: '#111827', borderRadius: '9999px' },
      buttonSecondary: {
        ...{ background: '#FFFFFF', textColor: '#0F766E', borderColor: '#0F766E', borderRadius: '8px' },
      },
    })
  })

  it.each([
    [
      'an unstyled one',
      { background: 'rgb(239, 239, 239)', font: { family: 'Arial', size: 13.33, weight: 400 } },
    ],
    ['one without a ground or an edge', {}],
    ['one without words', { background: teal, text: '' }],
    ['one as large as a picture', { background: teal, rect: { x: 0, y: 0, width: 600, height: 400 } }],
  ])('exclude %s', (_, given) => {
    expect(extractBrand(snapshot([button('Menu', given)]))).not.toHaveProperty('components')
  })
})

describe('spacing', () => {
  const boxes = (...paddings: number[]) =>
    paddings.map((padding) => element('box', { padding: [padding, padding, padding, padding] }))

  it.each([
    [8, [8, 16, 24, 32, 40]],
    [4, [4, 12, 20, 28, 8]],
    [10, [10, 20, 30, 50]],
    [6, [6, 12, 18, 30, 42]],
  ])('has the base unit %d', (unit, paddings) => {
    expect(extractBrand(snapshot(boxes(...paddings))).spacing?.baseUnit).toBe(unit)
  })

  it('has no base unit with few distances', () => {
    expect(extractBrand(snapshot(boxes(8)))).not.toHaveProperty('spacing')
  })
})

describe('logo', () => {
  const candidate = (url: string, given: Partial<LogoCandidate> = {}): LogoCandidate => ({
    ...{ url, alt: '', rect: { x: 20, y: 20, width: 120, height: 32 } },
    ...{ isInHeader: true, isInHomeLink: true, isCalledLogo: false, ...given },
  })
  const logo = (logos: LogoCandidate[], given: Partial<StyleSnapshot> = {}) =>
    extractBrand(snapshot([], { logos, ...given })).logo
  const declared = { organization: { logo: 'https://acme.example/declared.png' } }

  it('is the image in the header that links to the start page', () => {
    const icons = [
      candidate('menu.svg', { isInHomeLink: false, rect: { x: 1200, y: 20, width: 24, height: 24 } }),
    ]
    expect(logo([...icons, candidate('acme.svg')], declared)).toBe('acme.svg')
  })

  it('is the declared one if no image on the page is certain', () => {
    const far = candidate('other.png', { isInHeader: false, isInHomeLink: false, isCalledLogo: true })
    expect(logo([far], declared)).toBe('https://acme.example/declared.png')
    expect(logo([far])).toBe('other.png')
  })

  it('is null without candidates, like the other images', () => {
    expect(extractBrand(snapshot([]))).toMatchObject({
      ...{ logo: null, images: { logo: null, favicon: null, ogImage: null } },
    })
  })

  it('is not an image that fills the screen', () => {
    const wide = { x: 0, y: 0, width: 1280, height: 500 }
    expect(logo([candidate('hero.png', { rect: wide, isInHomeLink: false })])).toBeNull()
  })
})

describe('page without evidence', () => {
  it('has only the parts that every page has', () => {
    expect(extractBrand(snapshot([]))).toEqual({
      colorScheme: 'light',
      logo: null,
      colors: { background: '#FFFFFF' },
      typography: { fontFamilies: { primary: 'Inter' }, fontStacks: { primary: ['Inter'], body: ['Inter'] } },
      images: { logo: null, favicon: null, ogImage: null },
    })
  })
})
