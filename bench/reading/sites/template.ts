import { type Html, html, raw } from './html.ts'
import { type Random, seeded } from './random.ts'
import type { Schema } from './schema.ts'

export type Vertical =
  | 'products'
  | 'jobs'
  | 'events'
  | 'homes and cars'
  | 'people'
  | 'articles'
  | 'threads'
  | 'listings'

export type Half = 'development' | 'kept-back'

/** In which form a page gives its structured data. */
export type Carrier = 'JSON-LD' | 'JSON-LD graph' | 'microdata' | 'RDFa' | 'Open Graph' | 'state'

export interface Template {
  name: string
  vertical: Vertical
  carrier: Carrier
  /** As the developer who asks would write it. */
  schema: Schema
  page(random: Random, structured: Structured): MadePage
}

/** What a template calls for structured data; the form of the page without any gets nothing from it. */
export interface Structured {
  attributes(text: string): Html
  block(content: Html): Html
  jsonLd(value: Html): Html
  /** The state that a script of the page starts from. */
  state(id: string, value: Html): Html
  /** Open Graph and its relatives: `[property, content]`. */
  meta(...properties: [string, string | number][]): Html
}

export interface MadePage {
  path: string
  html: Html
  /** What the page states, and nothing else. */
  expected: Expected
  /** Paths of `expected` that only the structured data states. */
  onlyStructured?: string[]
}

export type Expected = { [name: string]: ExpectedValue }
export type ExpectedValue = string | number | boolean | Either | Expected | ExpectedValue[]

/** The page states the value in several ways that are equally good. */
export class Either {
  readonly values: readonly (string | number | boolean)[]
  /** Nothing is as good as one of the values: the page only implies it. */
  readonly isOptional: boolean
  constructor(values: (string | number | boolean)[], isOptional: boolean) {
    this.values = values
    this.isOptional = isOptional
  }
}

export const either = (...values: (string | number | boolean)[]) => new Either(values, false)
export const maybe = (...values: (string | number | boolean)[]) => new Either(values, true)

/** Leaves out what is not there, so that a truth names only what a page states. */
export function present(fields: Record<string, ExpectedValue | undefined>): Expected {
  const stated: Expected = {}
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) stated[name] = value
  return stated
}

export interface BenchPage {
  id: string
  vertical: Vertical
  template: string
  carrier: Carrier
  path: string
  schema: Schema
  whole: Form
  stripped: Form
}

export interface Form {
  html: string
  expected: Expected
}

/** A page of a template; the number chooses its values. */
export function makePage(template: Template, number: number): BenchPage {
  const { name, vertical, carrier, schema } = template
  const id = `${vertical}/${name}/${number}`
  const whole = template.page(seeded(id), withData)
  const stripped = template.page(seeded(id), withoutData)
  return {
    ...{ id, vertical, carrier, schema, template: name, path: whole.path },
    whole: { html: whole.html.html, expected: whole.expected },
    stripped: {
      html: stripped.html.html,
      expected: without(stripped.expected, stripped.onlyStructured ?? []),
    },
  }
}

const withData: Structured = {
  attributes: (text) => raw(` ${text}`),
  block: (content) => content,
  jsonLd: (value) => html`<script type="application/ld+json">${value}</script>\n`,
  state: (id, value) => html`<script id="${id}" type="application/json">${value}</script>\n`,
  meta: (...properties) =>
    html`${properties.map(([name, content]) => html`<meta property="${name}" content="${content}">\n`)}`,
}

const nothing = raw('')
const withoutData: Structured = {
  attributes: () => nothing,
  block: () => nothing,
  jsonLd: () => nothing,
  state: () => nothing,
  meta: () => nothing,
}

function without(expected: Expected, paths: string[], parent = ''): Expected {
  const kept: Expected = {}
  for (const [name, value] of Object.entries(expected)) {
    const path = parent + name
    if (paths.includes(path)) continue
    if (!isObject(value)) kept[name] = value
    else {
      const inner = without(value, paths, `${path}.`)
      if (Object.keys(inner).length > 0) kept[name] = inner
    }
  }
  return kept
}

function isObject(value: ExpectedValue): value is Expected {
  return typeof value === 'object' && !Array.isArray(value) && !(value instanceof Either)
}
