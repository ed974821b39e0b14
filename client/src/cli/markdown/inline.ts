import type { Style } from './style.ts'

/** A run of text in one style. */
export interface Span {
  text: string
  styles: readonly Style[]
  href?: string
}

const markers: readonly { mark: string; style: Style }[] = [
  { mark: '**', style: 'bold' },
  { mark: '__', style: 'bold' },
  { mark: '~~', style: 'struck' },
  { mark: '*', style: 'italic' },
  { mark: '_', style: 'italic' },
]
const longestAddress = 1000
const mostBackticks = 8
const escapable = /[!-/:-@[-`{-~]/
const destination = new RegExp(
  String.raw`\((?:<([^<>\n]{0,${longestAddress}})>|((?:[^\s()\\]|\\.|\([^\s()]{0,200}\)){0,${longestAddress}}))(?:\s+(?:"(?:[^"\\]|\\.){0,500}"|'[^']{0,500}'))?\)`,
  'y',
)
const autolink = /<(https?:\/\/[^\s<>]{1,1000})>/y

/** Text of one paragraph in runs of one style, in one pass. What is no markup stays as it is written. */
export function inline(source: string, styles: readonly Style[] = [], depth = 0): Span[] {
  const spans: Span[] = []
  const closers = matchBrackets(source)
  const gone = new Set<string>()
  const open = new Map<Style, string>()
  let plain = ''
  let at = 0
  const now = () => [...styles, ...open.keys()]
  const flush = () => {
    if (plain !== '') spans.push({ text: plain, styles: now() })
    plain = ''
  }
  const add = (found: Span[], end: number) => {
    flush()
    spans.push(...found)
    at = end
  }
  while (at < source.length) {
    const sign = source[at] ?? ''
    if (sign === '\\' && escapable.test(source[at + 1] ?? '')) {
      plain += source[at + 1]
      at += 2
      continue
    }
    const code = sign === '`' ? codeAt(source, at, gone) : undefined
    if (code) {
      add([{ text: code.text, styles: [...now(), 'code'] }], code.end)
      continue
    }
    const link = sign === '[' || sign === '!' ? linkAt(source, at, closers) : undefined
    if (link) {
      add(spansOfLink(link, now(), depth), link.end)
      continue
    }
    const address = sign === '<' ? match(autolink, source, at)?.[1] : undefined
    if (address !== undefined) {
      add([{ text: address, styles: [...now(), 'link'], href: address }], at + address.length + 2)
      continue
    }
    const marker = markers.find(({ mark }) => source.startsWith(mark, at))
    if (marker && toggles(source, at, marker.mark, open.get(marker.style), gone)) {
      flush()
      if (open.has(marker.style)) open.delete(marker.style)
      else open.set(marker.style, marker.mark)
      at += marker.mark.length
      continue
    }
    const length = marker?.mark.length ?? (sign === '`' ? runLength(source, at) : 1)
    plain += source.slice(at, at + length)
    at += length
  }
  flush()
  return spans
}

interface Link {
  text: string
  url: string
  isImage: boolean
  end: number
}

function spansOfLink({ text, url, isImage }: Link, styles: readonly Style[], depth: number): Span[] {
  if (isImage)
    return [{ text: `[image${text === '' ? '' : `: ${text}`}]`, styles: [...styles, 'dim'], href: url }]
  // Links do not nest, but a picture may be one.
  const within = depth < 2 ? inline(text, [...styles, 'link'], depth + 1) : [{ text, styles }]
  const shown = within.length > 0 ? within : [{ text: url, styles: [...styles, 'link' as const] }]
  return shown.map((span) => ({ ...span, href: url }))
}

function linkAt(source: string, at: number, closers: ReadonlyMap<number, number>): Link | undefined {
  const isImage = source[at] === '!'
  const start = isImage ? at + 1 : at
  const close = closers.get(start)
  if (close === undefined) return undefined
  const found = match(destination, source, close + 1)
  if (!found) return undefined
  const url = (found[1] ?? found[2] ?? '').replaceAll(/\\([!-/:-@[-`{-~])/g, '$1')
  return { text: source.slice(start + 1, close), url, isImage, end: close + 1 + found[0].length }
}

/** Where the bracket that opens at a place is closed. */
function matchBrackets(source: string): Map<number, number> {
  const closers = new Map<number, number>()
  const open: number[] = []
  for (let at = 0; at < source.length; at += 1) {
    const sign = source[at]
    if (sign === '\\') at += 1
    else if (sign === '[') open.push(at)
    else if (sign === ']') {
      const start = open.pop()
      if (start !== undefined) closers.set(start, at)
    }
  }
  return closers
}

function codeAt(source: string, at: number, gone: Set<string>) {
  const length = runLength(source, at)
  const fence = '`'.repeat(length)
  if (length > mostBackticks || gone.has(fence)) return undefined
  let close = source.indexOf(fence, at + length)
  while (close >= 0) {
    const run = runLength(source, close)
    if (run === length) {
      const text = source.slice(at + length, close).replaceAll('\n', ' ')
      return { text: text.replace(/^ (.*\S.*) $/, '$1'), end: close + length }
    }
    close = source.indexOf(fence, close + run)
  }
  // Said once, not looked for again: many of them would take quadratic time.
  gone.add(fence)
  return undefined
}

function runLength(source: string, at: number): number {
  let end = at
  while (source[end] === '`') end += 1
  return end - at
}

/** Whether a marker begins or ends a style here. */
function toggles(source: string, at: number, mark: string, opened: string | undefined, gone: Set<string>) {
  const before = source[at - 1] ?? ' '
  const after = source[at + mark.length] ?? ' '
  const isWithinWord = mark.startsWith('_') && /[\p{L}\p{N}]/u.test(before) && /[\p{L}\p{N}]/u.test(after)
  if (isWithinWord) return false
  if (opened !== undefined) return opened === mark && !/\s/.test(before)
  if (/\s/.test(after) || gone.has(mark)) return false
  if (source.includes(mark, at + mark.length + 1)) return true
  gone.add(mark)
  return false
}

function match(pattern: RegExp, source: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(source)
}
