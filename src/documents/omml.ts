import { decodeXML } from 'entities'
import { texName, texSymbols } from '../content/markdown/mathml.ts'

interface MathElement {
  name: string
  attributes: string
  text: string
  children: MathElement[]
}

/** Maximum nesting, which keeps recursion safe. No real formula is nested so deeply. */
const maxDepth = 60

export const ommlToTex = (xml: string) => renderChildren(parse(xml)).replace(/\s+/g, ' ').trim()

function parse(xml: string): MathElement {
  const root: MathElement = { name: '', attributes: '', text: '', children: [] }
  const openElements = [root]
  const token = /<(\/?)(?:\w+:)?(\w+)([^<>]*?)(\/?)>|([^<]+)/g
  for (const [, closing, name = '', attributes = '', selfClosing, text] of xml.matchAll(token)) {
    const parent = openElements.at(-1) ?? root
    if (text !== undefined) parent.text += decodeXML(text)
    else if (closing) {
      if (openElements.length > 1) openElements.pop()
    } else {
      const part: MathElement = { name, attributes, text: '', children: [] }
      if (openElements.length < maxDepth) parent.children.push(part)
      if (!selfClosing) openElements.push(part)
    }
  }
  return root
}

/** A space separates a command from a letter that follows it. */
function renderChildren(part: MathElement): string {
  let tex = ''
  for (const child of part.children) {
    const next = renderElement(child)
    tex += /\\[a-z]+$/i.test(tex) && /^[a-z]/i.test(next) ? ` ${next}` : next
  }
  return tex
}

const childOf = (part: MathElement, name: string) => part.children.find((child) => child.name === name)
const childrenOf = (part: MathElement, name: string) => part.children.filter((child) => child.name === name)

function renderChild(part: MathElement, name: string): string {
  const child = childOf(part, name)
  return child ? renderChildren(child) : ''
}

function getProperty(part: MathElement, name: string): string | undefined {
  const properties = childOf(part, `${part.name}Pr`)
  const property = properties && childOf(properties, name)
  if (!property) return undefined
  return decodeXML(/(?:^|\s)(?:\w+:)?val="([^"]*)"/.exec(property.attributes)?.[1] ?? '')
}

const isOn = (value: string | undefined) => value !== undefined && !/^(?:0|off|false)$/.test(value)

const renderers: Record<string, (part: MathElement) => string> = {
  r: renderRun,
  f: renderFraction,
  rad: (part) => {
    const degree = isOn(getProperty(part, 'degHide')) ? '' : renderChild(part, 'deg')
    return `\\sqrt${degree === '' ? '' : `[${degree}]`}{${renderChild(part, 'e')}}`
  },
  sSup: (part) => `${renderBase(part)}^{${renderChild(part, 'sup')}}`,
  sSub: (part) => `${renderBase(part)}_{${renderChild(part, 'sub')}}`,
  sSubSup: (part) => renderBase(part) + renderScripts(part),
  sPre: (part) => `{}${renderScripts(part)}${renderBase(part)}`,
  nary: renderNary,
  d: renderDelimited,
  func: (part) => `${renderChild(part, 'fName')}${toGroup(renderChild(part, 'e'))}`,
  limLow: (part) => `${renderBase(part)}_{${renderChild(part, 'lim')}}`,
  limUpp: (part) => `${renderBase(part)}^{${renderChild(part, 'lim')}}`,
  acc: (part) => `${accents[getProperty(part, 'chr') ?? '\u0302'] ?? '\\hat'}{${renderChild(part, 'e')}}`,
  bar: (part) =>
    `${getProperty(part, 'pos') === 'top' ? '\\overline' : '\\underline'}{${renderChild(part, 'e')}}`,
  groupChr: (part) =>
    `${getProperty(part, 'pos') === 'top' ? '\\overbrace' : '\\underbrace'}{${renderChild(part, 'e')}}`,
  m: (part) => renderMatrix(childrenOf(part, 'mr').map(renderCells)),
  eqArr: (part) => renderMatrix(childrenOf(part, 'e').map(renderChildren)),
}

const renderBase = (part: MathElement) => toBase(renderChild(part, 'e'))

const renderScripts = (part: MathElement) => `_{${renderChild(part, 'sub')}}^{${renderChild(part, 'sup')}}`

function renderElement(part: MathElement): string {
  const write = renderers[part.name]
  if (write) return write(part)
  return /Pr$/.test(part.name) ? '' : renderChildren(part)
}

function renderRun(part: MathElement): string {
  const text = childrenOf(part, 't')
    .map((child) => child.text)
    .join('')
  const properties = childOf(part, 'rPr')
  if (properties && childOf(properties, 'nor')) return `\\text{${text}}`
  return /^[A-Za-z]{2,6}$/.test(text) ? texName(text) : texSymbols(text)
}

function renderFraction(part: MathElement): string {
  const [over, under] = [renderChild(part, 'num'), renderChild(part, 'den')]
  const kind = getProperty(part, 'type')
  if (kind === 'lin' || kind === 'skw') return `${toBase(over)}/${toBase(under)}`
  return kind === 'noBar' ? `\\binom{${over}}{${under}}` : `\\frac{${over}}{${under}}`
}

function renderNary(part: MathElement): string {
  const operator = texSymbols(getProperty(part, 'chr') ?? '∫').trim()
  const [under, over] = [renderChild(part, 'sub'), renderChild(part, 'sup')]
  const bounds = `${under === '' ? '' : `_{${under}}`}${over === '' ? '' : `^{${over}}`}`
  return `${operator}${bounds}${toGroup(renderChild(part, 'e'))}`
}

function renderDelimited(part: MathElement): string {
  const getCharacter = (name: string, defaultValue: string) =>
    texSymbols(getProperty(part, name) ?? defaultValue).trim()
  const parts = childrenOf(part, 'e').map(renderChildren)
  const between = getCharacter('sepChr', '|')
  return `\\left${getCharacter('begChr', '(') || '.'}${parts.join(between)}\\right${getCharacter('endChr', ')') || '.'}`
}

const renderCells = (line: MathElement) => childrenOf(line, 'e').map(renderChildren).join(' & ')

const renderMatrix = (lines: string[]) => `\\begin{matrix}${lines.join(' \\\\ ')}\\end{matrix}`

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

function toBase(tex: string): string {
  const trimmed = tex.trim()
  return trimmed === '' || /^(?:\\[a-z]+|.)$/iu.test(trimmed) ? trimmed : `{${trimmed}}`
}

const toGroup = (tex: string) => (tex === '' ? '' : `{${tex}}`)
