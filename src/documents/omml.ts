import { decodeXML } from 'entities'
import { texName, texSymbols } from '../content/markdown/mathml.ts'

/** One element of a formula as word processors write it, without the prefix of its name. */
interface Part {
  name: string
  attributes: string
  text: string
  children: Part[]
}

/** Deeper than any real formula. */
const maxDepth = 60

/** A formula of a word processor (OMML) → TeX. */
export function ommlToTex(xml: string): string {
  return row(parse(xml)).replace(/\s+/g, ' ').trim()
}

function parse(xml: string): Part {
  const root: Part = { name: '', attributes: '', text: '', children: [] }
  const open = [root]
  const token = /<(\/?)(?:\w+:)?(\w+)([^<>]*?)(\/?)>|([^<]+)/g
  for (const [, closing, name = '', attributes = '', empty, text] of xml.matchAll(token)) {
    const inside = open.at(-1) ?? root
    if (text !== undefined) inside.text += decodeXML(text)
    else if (closing) {
      if (open.length > 1) open.pop()
    } else {
      const part: Part = { name, attributes, text: '', children: [] }
      if (open.length < maxDepth) inside.children.push(part)
      if (!empty) open.push(part)
    }
  }
  return root
}

/** The parts joined; a command must not absorb the letter after it. */
function row(part: Part): string {
  let tex = ''
  for (const child of part.children) {
    const next = term(child)
    tex += /\\[a-z]+$/i.test(tex) && /^[a-z]/i.test(next) ? ` ${next}` : next
  }
  return tex
}

const childOf = (part: Part, name: string) => part.children.find((child) => child.name === name)

/** A named part of a structure, written out. */
function inside(part: Part, name: string): string {
  const child = childOf(part, name)
  return child ? row(child) : ''
}

/** A setting of a structure: the sign it is drawn with, or whether something is hidden. */
function setting(part: Part, name: string): string | undefined {
  const properties = part.children.find((child) => child.name === `${part.name}Pr`)
  const found = properties && childOf(properties, name)
  if (!found) return undefined
  return decodeXML(/(?:^|\s)(?:\w+:)?val="([^"]*)"/.exec(found.attributes)?.[1] ?? '')
}

const isOn = (value: string | undefined) => value !== undefined && !/^(?:0|off|false)$/.test(value)

const structures: Record<string, (part: Part) => string> = {
  r: run,
  f: fraction,
  rad: (part) => {
    const degree = isOn(setting(part, 'degHide')) ? '' : inside(part, 'deg')
    return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${inside(part, 'e')}}`
  },
  sSup: (part) => `${base(inside(part, 'e'))}^{${inside(part, 'sup')}}`,
  sSub: (part) => `${base(inside(part, 'e'))}_{${inside(part, 'sub')}}`,
  sSubSup: (part) => `${base(inside(part, 'e'))}_{${inside(part, 'sub')}}^{${inside(part, 'sup')}}`,
  sPre: (part) => `{}_{${inside(part, 'sub')}}^{${inside(part, 'sup')}}${base(inside(part, 'e'))}`,
  nary,
  d: delimited,
  func: (part) => `${inside(part, 'fName')}${grouped(inside(part, 'e'))}`,
  limLow: (part) => `${base(inside(part, 'e'))}_{${inside(part, 'lim')}}`,
  limUpp: (part) => `${base(inside(part, 'e'))}^{${inside(part, 'lim')}}`,
  acc: (part) => `${accents[setting(part, 'chr') ?? '\u0302'] ?? '\\hat'}{${inside(part, 'e')}}`,
  bar: (part) => `${setting(part, 'pos') === 'top' ? '\\overline' : '\\underline'}{${inside(part, 'e')}}`,
  groupChr: (part) =>
    `${setting(part, 'pos') === 'top' ? '\\overbrace' : '\\underbrace'}{${inside(part, 'e')}}`,
  m: (part) => table(part.children.filter((child) => child.name === 'mr').map(cells)),
  eqArr: (part) => table(part.children.filter((child) => child.name === 'e').map(row)),
}

// The depth of a formula is bounded, so recursion is safe here.
function term(part: Part): string {
  const write = structures[part.name]
  if (write) return write(part)
  return /Pr$/.test(part.name) ? '' : row(part)
}

function run(part: Part): string {
  const text = part.children
    .filter((child) => child.name === 't')
    .map((child) => child.text)
    .join('')
  const properties = part.children.find((child) => child.name === 'rPr')
  if (properties && childOf(properties, 'nor')) return `\\text{${text}}`
  return /^[A-Za-z]{2,6}$/.test(text) ? texName(text) : texSymbols(text)
}

function fraction(part: Part): string {
  const [over, under] = [inside(part, 'num'), inside(part, 'den')]
  const kind = setting(part, 'type')
  if (kind === 'lin' || kind === 'skw') return `${base(over)}/${base(under)}`
  return kind === 'noBar' ? `\\binom{${over}}{${under}}` : `\\frac{${over}}{${under}}`
}

/** Sums, products and integrals. */
function nary(part: Part): string {
  const sign = texSymbols(setting(part, 'chr') ?? '∫').trim()
  const [under, over] = [inside(part, 'sub'), inside(part, 'sup')]
  const bounds = `${under === '' ? '' : `_{${under}}`}${over === '' ? '' : `^{${over}}`}`
  return `${sign}${bounds}${grouped(inside(part, 'e'))}`
}

function delimited(part: Part): string {
  const sign = (name: string, usual: string) => texSymbols(setting(part, name) ?? usual).trim()
  const parts = part.children.filter((child) => child.name === 'e').map(row)
  const between = sign('sepChr', '|')
  return `\\left${sign('begChr', '(') || '.'}${parts.join(between)}\\right${sign('endChr', ')') || '.'}`
}

const cells = (line: Part) =>
  line.children
    .filter((child) => child.name === 'e')
    .map(row)
    .join(' & ')

const table = (lines: string[]) => `\\begin{matrix}${lines.join(' \\\\ ')}\\end{matrix}`

const accents: Record<string, string> = {
  '\u0302': '\\hat',
  '\u0303': '\\tilde',
  '\u0304': '\\bar',
  '\u0305': '\\overline',
  '\u0307': '\\dot',
  '\u0308': '\\ddot',
  '\u20d7': '\\vec',
  '\u20d6': '\\overleftarrow',
  '\u0306': '\\breve',
  '\u030c': '\\check',
}

function base(tex: string): string {
  const bare = tex.trim()
  return bare === '' || /^(?:\\[a-z]+|.)$/iu.test(bare) ? bare : `{${bare}}`
}

const grouped = (tex: string) => (tex === '' ? '' : `{${tex}}`)
