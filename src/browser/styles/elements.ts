import type { ElementSample } from '../../content/style-snapshot.ts'

export interface SampledPage {
  root: Element
  body: Element
  mainPart: Element | null
  backgrounds: Map<Element, string>
}

const maxElements = 1500
const minElements = 60
const buttons = `button, [role="button"], input[type="submit"], input[type="button"], a[class*="btn" i],
  a[class*="button" i], a[class*="cta" i]`
const fields = `select, textarea, input:not([type="hidden"], [type="checkbox"], [type="radio"],
  [type="range"], [type="submit"], [type="button"], [type="image"])`
const glyphs = 'i[class], span[class*="icon" i], span[class*="material" i]'
/** In order of importance, with the maximum number of elements of each. */
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
const certainConsent = `[id*="consent" i], [class*="consent" i], [id*="gdpr" i], [class*="gdpr" i],
  [id^="onetrust" i], [id^="cybotcookiebot" i]`
const anyConsent = `[id*="cookie" i], [class*="cookie" i], [aria-label*="cookie" i], ${certainConsent}`

export const elementParts = {
  ...{ samples, spread, sampleOf, kindOf, isConsent, placeOf, behind, isPartOfLine, ownTextLength },
  ...{ textOf, fontOf, extrasOf, iconOf, glyphOf },
  ...{ maxElements, minElements, buttons, fields, glyphs, groups, certainConsent, anyConsent },
}

export function samples(page: SampledPage): ElementSample[] {
  // The page may need a layout first, which must not count against the time limit.
  page.body.getBoundingClientRect()
  const deadline = performance.now() + 200
  const seen = new Set<Element>()
  const found: ElementSample[] = []
  for (const [selector, maxCount] of groups) {
    for (const element of spread(document.querySelectorAll(selector), maxCount)) {
      const isTimedOut = found.length >= minElements && performance.now() > deadline
      if (isTimedOut || found.length >= maxElements) return found
      if (seen.has(element)) continue
      seen.add(element)
      const sample = sampleOf(element, page)
      if (sample) found.push(sample)
    }
  }
  return found
}

function spread<Member>(list: Iterable<Member>, maxCount: number): Member[] {
  const all = [...list]
  const step = Math.max(1, all.length / maxCount)
  const indexes = Array.from({ length: Math.min(maxCount, all.length) }, (_, index) => index * step)
  return indexes.map((index) => all[Math.floor(index)]).filter((member) => member !== undefined)
}

function sampleOf(element: Element, page: SampledPage): ElementSample | undefined {
  const rect = rectangle(element)
  const kind = kindOf(element, page)
  if (kind !== 'page' && (rect.width < 3 || rect.height < 3 || rect.x + rect.width < 0)) return undefined
  const style = getComputedStyle(element)
  if (style.visibility !== 'visible' || isPartOfLine(element)) return undefined
  const sides = (name: 'padding' | 'margin') =>
    (['Top', 'Right', 'Bottom', 'Left'] as const).map((side) => pixels(style[`${name}${side}`]))
  return {
    ...{ kind, tag: element.localName, text: textOf(element, kind) },
    ...{ textLength: Math.min(ownTextLength(element), 5000), color: style.color },
    background: style.backgroundColor,
    ...{ behind: behind(element, page), radius: style.borderTopLeftRadius },
    ...{ font: fontOf(style), padding: sides('padding'), margin: sides('margin') },
    ...{ rect, place: placeOf(element, rect.y), isConsent: isConsent(element, page) },
    ...extrasOf(style),
    ...(kind === 'icon' ? iconOf(element) : {}),
  }
}

function kindOf(element: Element, { root, body }: SampledPage): ElementSample['kind'] {
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

/** By a specific name or as an overlay, because pages about food mention cookies too. */
function isConsent(element: Element, { root, body, mainPart }: SampledPage): boolean {
  let box = element.closest(anyConsent)
  while (box && box !== body && box !== root) {
    const { position } = getComputedStyle(box)
    const isOverlay = /fixed|sticky/.test(position) || box.matches('dialog, [role*="dialog"]')
    // On some pages, the element around the main content also has such a name.
    if ((isOverlay || box.matches(certainConsent)) && !(mainPart && box.contains(mainPart))) return true
    box = box.parentElement?.closest(anyConsent) ?? null
  }
  return false
}

function placeOf(element: Element, top: number): ElementSample['place'] {
  if (element.closest('footer, [role="contentinfo"]') && !element.closest('article')) return 'footer'
  return top < 250 && element.closest('header, nav, [role="banner"]') ? 'header' : 'body'
}

function behind(element: Element, { backgrounds }: SampledPage): string[] {
  const found: string[] = []
  for (let parent = element.parentElement; parent && found.length < 12; parent = parent.parentElement) {
    const background = backgrounds.get(parent) ?? getComputedStyle(parent).backgroundColor
    backgrounds.set(parent, background)
    if (background !== 'rgba(0, 0, 0, 0)') found.push(background)
    if (!/^rgba|\//.test(background)) break
  }
  return found
}

/** A part of a line has the style of the heading, link or button that contains it. */
function isPartOfLine(element: Element): boolean {
  return element.matches('span, strong, small') && element.closest('a, button, h1, h2, h3, h4, pre') !== null
}

function ownTextLength(element: Element): number {
  let length = 0
  for (const node of element.childNodes) {
    if (node.nodeType === Node.TEXT_NODE) length += (node.nodeValue ?? '').trim().length
  }
  return length
}

function textOf(element: Element, kind: ElementSample['kind']): string {
  if (kind !== 'button' && kind !== 'link' && kind !== 'heading') return ''
  const content = element instanceof HTMLInputElement ? element.value : element.textContent
  return short(content, 60) || short(element.getAttribute('aria-label'), 60)
}

function fontOf(style: CSSStyleDeclaration): ElementSample['font'] {
  const family = style.fontFamily.slice(0, 500)
  const font = { family, size: pixels(style.fontSize), weight: Number(style.fontWeight) }
  return style.lineHeight === 'normal' ? font : { ...font, lineHeight: pixels(style.lineHeight) }
}

function extrasOf(style: CSSStyleDeclaration): Partial<ElementSample> {
  const extras: Partial<ElementSample> = {}
  const [top, bottom] = [pixels(style.borderTopWidth), pixels(style.borderBottomWidth)]
  if (top > 0) extras.border = { width: top, color: style.borderTopColor }
  else if (bottom > 0) extras.border = { width: bottom, color: style.borderBottomColor }
  if (style.backgroundImage.includes('gradient(')) extras.gradient = style.backgroundImage.slice(0, 500)
  if (pixels(style.columnGap) > 0) extras.gap = pixels(style.columnGap)
  if (style.maxWidth.endsWith('px')) extras.maxWidth = pixels(style.maxWidth)
  const [duration, easing] = [style.transitionDuration, style.transitionTimingFunction]
  if (pixels(duration) > 0)
    extras.transition = { duration: duration.slice(0, 100), easing: easing.slice(0, 200) }
  return extras
}

function iconOf(icon: Element): Partial<ElementSample> {
  const glyph = glyphOf(icon)
  if (glyph) return { glyph }
  const shape = icon.querySelector('path, rect, circle, line, polyline, polygon, use') ?? icon
  const { fill, stroke } = getComputedStyle(shape)
  return { paint: { fill, stroke } }
}

function glyphOf(element: Element): ElementSample['glyph'] {
  if (!element.matches(glyphs) || element.childElementCount > 0) return undefined
  const before = getComputedStyle(element, '::before')
  const style = /^(?:none|normal)$/.test(before.content) ? getComputedStyle(element) : before
  if (!/icon|symbol|awesome|glyph/i.test(style.fontFamily)) return undefined
  return { family: style.fontFamily.slice(0, 200), weight: Number(style.fontWeight) }
}

export const measureParts = { rectangle, pixels, short }

export function rectangle(element: Element) {
  const { x, y, width, height } = element.getBoundingClientRect()
  return { x: x + scrollX, y: y + scrollY, width, height }
}

export function pixels(length: string): number {
  return Number.parseFloat(length) || 0
}

export function short(text: string | null | undefined, maxLength: number): string {
  return (text ?? '')
    .slice(0, maxLength * 5)
    .replace(/\s+/g, ' ')
    .trim()
    .slice(0, maxLength)
}
