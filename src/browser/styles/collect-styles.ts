import type { Page } from 'playwright-core'
import { type StyleSnapshot, styleSnapshot } from '../../content/style-snapshot.ts'
import { evaluateApart } from '../evaluate-apart.ts'
import { pageScript } from '../page-script.ts'
import { colourParts } from './colours.ts'
import { elementParts } from './elements.ts'
import { type Marks, readMarks } from './marks.ts'
import { measureParts } from './measures.ts'

/** More than all that is collected can be; a page may say anything. */
const maxLength = 5_000_000

/** What branding reads, taken from the open page. A page that cannot be read gives a snapshot of nothing. */
export async function collectStyles(page: Page): Promise<StyleSnapshot> {
  try {
    const styles = await evaluateApart(page, readStyles, undefined)
    const marks = await evaluateApart(page, readMarks, undefined)
    if (styles.length + marks.length > maxLength) throw new Error('the page says too much of its styles')
    return styleSnapshot.parse({ ...JSON.parse(styles), ...JSON.parse(marks) })
  } catch {
    const nothing = { width: 0, height: 0 }
    return {
      ...{ url: page.url(), viewport: nothing, page: nothing, isDarkCanvas: false },
      ...{ elements: [], variables: [], fontFaces: [], logos: [], organization: {} },
    }
  }
}

/** Answers JSON: an object of this size takes longer on its way than to collect. */
export const readStyles = pageScript(stylesOfPage, { heightsOf }, elementParts, colourParts, measureParts)

declare const samples: typeof import('./elements.ts').samples
declare const variables: typeof import('./colours.ts').variables
declare const themeColor: typeof import('./colours.ts').themeColor
declare const rectangle: typeof import('./measures.ts').rectangle

/** Runs in the page. */
function stylesOfPage(): string {
  const root = document.documentElement
  const body = document.body ?? root
  const mainPart = document.querySelector('main, h1')
  const canvas = document.createElement('canvas').getContext('2d')
  const scheme = getComputedStyle(root).colorScheme
  const wantsDark = matchMedia('(prefers-color-scheme: dark)').matches
  const headers = heightsOf('header, [role="banner"], nav')
  const families = [...document.fonts].slice(0, 500).map(({ family }) => family.slice(0, 200))
  const styles: Omit<StyleSnapshot, keyof Marks> = {
    url: location.href,
    viewport: { width: innerWidth, height: innerHeight },
    page: { width: root.scrollWidth, height: root.scrollHeight },
    isDarkCanvas: scheme.includes('dark') && (wantsDark || !scheme.includes('light')),
    elements: samples({ root, body, mainPart, backgrounds: new Map() }),
    variables: variables(body, canvas),
    fontFaces: [...new Set(families)].slice(0, 60),
    themeColor: themeColor(canvas),
    headerHeight: headers.find(({ y, height }) => y < 150 && height < 400)?.height,
    footerHeight: heightsOf('footer, [role="contentinfo"]').at(-1)?.height,
  }
  return JSON.stringify(styles)
}

function heightsOf(selector: string) {
  const rectangles = [...document.querySelectorAll(selector)].slice(0, 50).map(rectangle)
  return rectangles.filter(({ height, width }) => height > 20 && width > innerWidth / 2)
}
