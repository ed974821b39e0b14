import { type ElementSample, type StyleSnapshot, styleSnapshot } from '../../src/content/style-snapshot.ts'

/** Creates an element sample as a browser would describe it, for tests. */
export function element(kind: ElementSample['kind'], changes: Partial<ElementSample> = {}): ElementSample {
  const tags = {
    page: 'body',
    box: 'div',
    text: 'p',
    heading: 'h2',
    link: 'a',
    button: 'button',
    input: 'input',
  }
  return {
    ...{ kind, tag: { ...tags, code: 'code', icon: 'svg' }[kind], text: '', textLength: 0, radius: '0px' },
    ...{ color: 'rgb(17, 24, 39)', background: 'rgba(0, 0, 0, 0)', behind: ['rgb(255, 255, 255)'] },
    ...{ font: { family: 'Inter', size: 16, weight: 400, lineHeight: 24 }, padding: [0, 0, 0, 0] },
    ...{
      margin: [0, 0, 0, 0],
      rect: { x: 0, y: 0, width: 600, height: 100 },
      place: 'body',
      isConsent: false,
    },
    ...changes,
  }
}

export const paragraph = (changes: Partial<ElementSample> = {}) =>
  element('text', { textLength: 200, ...changes })
export const button = (text: string, changes: Partial<ElementSample> = {}) =>
  element('button', {
    text,
    textLength: text.length,
    rect: { x: 0, y: 300, width: 140, height: 44 },
    ...changes,
  })
export const link = (changes: Partial<ElementSample> = {}) =>
  element('link', {
    text: 'Read on',
    textLength: 7,
    rect: { x: 0, y: 400, width: 60, height: 20 },
    ...changes,
  })

export function snapshot(elements: ElementSample[], changes: Partial<StyleSnapshot> = {}): StyleSnapshot {
  const page = element('page', { background: 'rgb(255, 255, 255)', behind: [] })
  return styleSnapshot.parse({
    ...{ url: 'https://www.acme.example/', viewport: { width: 1280, height: 800 } },
    ...{ page: { width: 1280, height: 3000 }, isDarkCanvas: false, variables: [], fontFaces: [], logos: [] },
    ...{ organization: {}, elements: [page, ...elements], ...changes },
  })
}
