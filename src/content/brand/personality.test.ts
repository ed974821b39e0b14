import { describe, expect, it } from 'vitest'
import { button, element, paragraph, snapshot } from '../../../test/samples/styles.ts'
import type { ElementSample } from '../style-snapshot.ts'
import { extractBrand } from './brand.ts'

const personality = (elements: ElementSample[]) => extractBrand(snapshot(elements)).personality
const headings = (given: Partial<ElementSample> = {}) =>
  Array.from({ length: 3 }, () => element('heading', { text: 'A', textLength: 9, ...given }))
const font = (family: string, size = 32, weight = 600) => ({ family, size, weight })
const box = (background: string) => element('box', { background })

describe('personality', () => {
  it('is traditional for serif fonts, sharp corners and muted colours', () => {
    const serif = { font: font('Georgia, serif') }
    const page = [
      ...headings(serif),
      paragraph(serif),
      button('Read', { background: 'rgb(64, 64, 72)', radius: '0px' }),
    ]
    expect(personality(page)).toEqual({ tone: 'traditional', energy: 'low' })
  })

  it('is playful for round corners and many strong colours', () => {
    const page = [
      ...headings({ font: font('Nunito, sans-serif') }),
      paragraph(),
      button('Play', { background: 'rgb(236, 72, 153)', radius: '9999px' }),
      ...['rgb(34, 197, 94)', 'rgb(250, 204, 21)', 'rgb(59, 130, 246)'].map(box),
    ]
    expect(personality(page)).toMatchObject({ tone: 'playful' })
  })

  it('has no tone if its signals do not agree', () => {
    const page = [
      ...headings({ font: font('Georgia, serif', 52, 900) }),
      paragraph(),
      button('Go', { background: 'rgb(236, 72, 153)', radius: '9999px' }),
      ...['rgb(34, 197, 94)', 'rgb(250, 204, 21)'].map(box),
    ]
    expect(personality(page)?.tone).toBeUndefined()
  })

  it('is absent without enough evidence', () => {
    expect(personality([paragraph(), button('Go', { background: 'rgb(0, 0, 0)' })])).toBeUndefined()
    expect(personality([...headings(), paragraph()])).toBeUndefined()
  })
})
