import type { Page } from 'playwright-core'
import { type ElementSample, type StyleSnapshot, styleSnapshot } from '../content/style-snapshot.ts'
import { type Marks, readMarks } from './collect-styles-marks.ts'
import { evaluateApart } from './evaluate-apart.ts'

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

/**
 * Runs in the page, so it can use nothing from outside itself. Answers JSON: an object of this size takes
 * longer on its way than to collect.
 */
function readStyles(): string {
  const maxElements = 1500
  const leastElements = 60
  const root = document.documentElement
  const body = document.body ?? root
  const mainPart = document.querySelector('main, h1')
  const pen = document.createElement('canvas').getContext('2d')
  const pixels = (length: string) => Number.parseFloat(length) || 0
  const short = (text: string | null | undefined, most: number) =>
    (text ?? '')
      .slice(0, most * 5)
      .replace(/\s+/g, ' ')
      .trim()
      .slice(0, most)

  const buttons = `button, [role="button"], input[type="submit"], input[type="button"], a[class*="btn" i],
    a[class*="button" i], a[class*="cta" i]`
  const fields = `select, textarea, input:not([type="hidden"], [type="checkbox"], [type="radio"],
    [type="range"], [type="submit"], [type="button"], [type="image"])`
  const glyphs = 'i[class], span[class*="icon" i], span[class*="material" i]'
  /** What is looked at, most telling first, and how many of each at most. */
  const groups: [string, number][] = [
    ['html, body', 2],
    [buttons, 200],
    ['h1, h2, h3, h4', 120],
    [fields, 60],
    ['header, nav, main, section, footer, aside, article, body > div, body > div > div', 150],
    ['a[href]', 250],
    ['p, li, td, dd, blockquote, label', 300],
    ['pre, code', 30],
    [`svg, ${glyphs}`, 60],
    ['div, span, small, strong', 400],
  ]

  function rectangle(element: Element) {
    const { x, y, width, height } = element.getBoundingClientRect()
    return { x: x + scrollX, y: y + scrollY, width, height }
  }

  /** Some of a long list, evenly, so that the end of the page counts too. */
  function spread<Member>(list: Iterable<Member>, most: number): Member[] {
    const all = [...list]
    const step = Math.max(1, all.length / most)
    return Array.from(
      { length: Math.min(most, all.length) },
      (_, index) => all[Math.floor(index * step)],
    ).filter((member) => member !== undefined)
  }

  function ownTextLength(element: Element): number {
    let length = 0
    for (const node of element.childNodes) {
      if (node.nodeType === Node.TEXT_NODE) length += (node.nodeValue ?? '').trim().length
    }
    return length
  }

  function kindOf(element: Element): ElementSample['kind'] {
    const tag = element.localName
    if (element === root || element === body) return 'page'
    if (element.matches(buttons)) return 'button'
    if (/^h[1-6]$/.test(tag)) return 'heading'
    if (element.matches(fields)) return 'input'
    if (tag === 'a') return 'link'
    if (tag === 'pre' || tag === 'code') return 'code'
    if (tag === 'svg' || glyphOf(element)) return 'icon'
    return ownTextLength(element) > 0 ? 'text' : 'box'
  }

  /** Bakeries speak of cookies too: what asks for consent says so, or lies over the page. */
  function isConsent(element: Element): boolean {
    const named = '[id*="cookie" i], [class*="cookie" i], [aria-label*="cookie" i]'
    const certain = `[id*="consent" i], [class*="consent" i], [id*="gdpr" i], [class*="gdpr" i],
      [id^="onetrust" i], [id^="cybotcookiebot" i]`
    let box = element.closest(`${named}, ${certain}`)
    while (box && box !== body && box !== root) {
      const isOver =
        /fixed|sticky/.test(getComputedStyle(box).position) || box.matches('dialog, [role*="dialog"]')
      // A page may also name all of itself after the consent it has.
      if ((isOver || box.matches(certain)) && !(mainPart && box.contains(mainPart))) return true
      box = box.parentElement?.closest(`${named}, ${certain}`) ?? null
    }
    return false
  }

  function placeOf(element: Element, top: number): ElementSample['place'] {
    if (element.closest('footer, [role="contentinfo"]') && !element.closest('article')) return 'footer'
    return top < 250 && element.closest('header, nav, [role="banner"]') ? 'header' : 'body'
  }

  const backgrounds = new Map<Element, string>()
  function behind(element: Element): string[] {
    const found: string[] = []
    for (let parent = element.parentElement; parent && found.length < 12; parent = parent.parentElement) {
      const background = backgrounds.get(parent) ?? getComputedStyle(parent).backgroundColor
      backgrounds.set(parent, background)
      if (background !== 'rgba(0, 0, 0, 0)') found.push(background)
      if (!/^rgba|\//.test(background)) break
    }
    return found
  }

  /** Parts of a line share the look of the heading, link or button they stand in. */
  function isPartOfLine(element: Element): boolean {
    return (
      element.matches('span, strong, small') && element.closest('a, button, h1, h2, h3, h4, pre') !== null
    )
  }

  function paintOf(icon: Element) {
    const shape = icon.querySelector('path, rect, circle, line, polyline, polygon, use') ?? icon
    const { fill, stroke } = getComputedStyle(shape)
    return { fill, stroke }
  }

  /** The font of a picture that is written as a letter; the letter is often put before the element by its style. */
  function glyphOf(element: Element): ElementSample['glyph'] {
    if (!element.matches(glyphs) || element.childElementCount > 0) return undefined
    const before = getComputedStyle(element, '::before')
    const style = /^(?:none|normal)$/.test(before.content) ? getComputedStyle(element) : before
    const isOfPictures = /icon|symbol|awesome|glyph/i.test(style.fontFamily)
    if (!isOfPictures) return undefined
    return { family: style.fontFamily.slice(0, 200), weight: Number(style.fontWeight) }
  }

  function iconOf(icon: Element): Partial<ElementSample> {
    const glyph = glyphOf(icon)
    return glyph ? { glyph } : { paint: paintOf(icon) }
  }

  function textOf(element: Element, kind: ElementSample['kind']): string {
    if (kind !== 'button' && kind !== 'link' && kind !== 'heading') return ''
    const written = element instanceof HTMLInputElement ? element.value : element.textContent
    return short(written, 60) || short(element.getAttribute('aria-label'), 60)
  }

  function fontOf(style: CSSStyleDeclaration): ElementSample['font'] {
    const family = style.fontFamily.slice(0, 500)
    const font = { family, size: pixels(style.fontSize), weight: Number(style.fontWeight) }
    return style.lineHeight === 'normal' ? font : { ...font, lineHeight: pixels(style.lineHeight) }
  }

  /** What most elements do not have. */
  function extrasOf(style: CSSStyleDeclaration): Partial<ElementSample> {
    const extras: Partial<ElementSample> = {}
    const [top, bottom] = [pixels(style.borderTopWidth), pixels(style.borderBottomWidth)]
    if (top > 0) extras.border = { width: top, color: style.borderTopColor }
    else if (bottom > 0) extras.border = { width: bottom, color: style.borderBottomColor }
    if (style.backgroundImage.includes('gradient(')) extras.gradient = style.backgroundImage.slice(0, 500)
    if (pixels(style.columnGap) > 0) extras.gap = pixels(style.columnGap)
    if (style.maxWidth.endsWith('px')) extras.maxWidth = pixels(style.maxWidth)
    const [duration, easing] = [style.transitionDuration, style.transitionTimingFunction]
    if (pixels(duration) > 0) {
      extras.transition = { duration: duration.slice(0, 100), easing: easing.slice(0, 200) }
    }
    return extras
  }

  function sampleOf(element: Element): ElementSample | undefined {
    const rect = rectangle(element)
    const kind = kindOf(element)
    if (kind !== 'page' && (rect.width < 3 || rect.height < 3 || rect.x + rect.width < 0)) return undefined
    const style = getComputedStyle(element)
    if (style.visibility !== 'visible' || isPartOfLine(element)) return undefined
    const sides = (name: 'padding' | 'margin') =>
      (['Top', 'Right', 'Bottom', 'Left'] as const).map((side) => pixels(style[`${name}${side}`]))
    return {
      ...{ kind, tag: element.localName, text: textOf(element, kind) },
      ...{ textLength: Math.min(ownTextLength(element), 5000), color: style.color },
      ...{ background: style.backgroundColor, behind: behind(element), radius: style.borderTopLeftRadius },
      ...{ font: fontOf(style), padding: sides('padding'), margin: sides('margin') },
      ...{ rect, place: placeOf(element, rect.y), isConsent: isConsent(element) },
      ...extrasOf(style),
      ...(kind === 'icon' ? iconOf(element) : {}),
    }
  }

  function samples(): ElementSample[] {
    // The page may have to be laid out first, which is not our time.
    body.getBoundingClientRect()
    const ends = performance.now() + 200
    const seen = new Set<Element>()
    const found: ElementSample[] = []
    for (const [selector, most] of groups) {
      for (const element of spread(document.querySelectorAll(selector), most)) {
        const isLate = found.length >= leastElements && performance.now() > ends
        if (isLate || found.length >= maxElements) return found
        if (seen.has(element)) continue
        seen.add(element)
        const sample = sampleOf(element)
        if (sample) found.push(sample)
      }
    }
    return found
  }

  /** A colour in the browser's own notation. Nothing for what is not a colour. */
  function normalised(value: string): string | undefined {
    if (!pen || value.length > 100 || /currentcolor|inherit/i.test(value)) return undefined
    pen.fillStyle = '#010203'
    pen.fillStyle = value
    return pen.fillStyle === '#010203' ? undefined : pen.fillStyle
  }

  /** Some frameworks keep only the numbers of a colour, to be put into a function where it is used. */
  function variableColour(value: string): string | undefined {
    if (/^[\d.]+(?:deg)?\s+[\d.]+%\s+[\d.]+%$/.test(value)) return normalised(`hsl(${value})`)
    if (/^\d{1,3}(?:\s*,\s*|\s+)\d{1,3}(?:\s*,\s*|\s+)\d{1,3}$/.test(value))
      return normalised(`rgb(${value})`)
    return /^(?:#|[a-z])/i.test(value) ? normalised(value) : undefined
  }

  function variables(): StyleSnapshot['variables'] {
    const found: StyleSnapshot['variables'] = []
    // The body has what the root has, and what is set on itself.
    for (const [name, values] of body.computedStyleMap()) {
      if (found.length >= 600) break
      const value = name.startsWith('--') ? variableColour(String([...values][0]).trim()) : undefined
      if (value && name.length <= 200) found.push({ name, value })
    }
    return found
  }

  function heightsOf(selector: string) {
    const rectangles = [...document.querySelectorAll(selector)].slice(0, 50).map(rectangle)
    return rectangles.filter(({ height, width }) => height > 20 && width > innerWidth / 2)
  }

  function themeColor(): string | undefined {
    const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color" i]')]
    const meant = metas.find(({ media }) => !media || matchMedia(media).matches)
    return meant && normalised(meant.content)
  }

  const scheme = getComputedStyle(root).colorScheme
  const wantsDark = matchMedia('(prefers-color-scheme: dark)').matches
  const headers = heightsOf('header, [role="banner"], nav')
  const families = [...document.fonts].slice(0, 500).map(({ family }) => family.slice(0, 200))
  const styles: Omit<StyleSnapshot, keyof Marks> = {
    url: location.href,
    viewport: { width: innerWidth, height: innerHeight },
    page: { width: root.scrollWidth, height: root.scrollHeight },
    isDarkCanvas: scheme.includes('dark') && (wantsDark || !scheme.includes('light')),
    elements: samples(),
    variables: variables(),
    fontFaces: [...new Set(families)].slice(0, 60),
    themeColor: themeColor(),
    headerHeight: headers.find(({ y, height }) => y < 150 && height < 400)?.height,
    footerHeight: heightsOf('footer, [role="contentinfo"]').at(-1)?.height,
  }
  return JSON.stringify(styles)
}
