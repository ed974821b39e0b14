import { load } from 'cheerio'
import type { Schema } from './sites/schema.ts'

const titles = new Set(['title', 'name', 'headline'])
const descriptions = new Set(['description', 'summary'])

/**
 * What a few lines of code would answer: the property of the same name in the JSON-LD, else the heading as the title
 * and the description of the head as the description.
 */
export function baselineAnswer(html: string, schema: Schema): Record<string, unknown> {
  const $ = load(html)
  const nodes = $('script[type="application/ld+json"]')
    .toArray()
    .flatMap((script) => nodesOf($(script).text()))
  const answer: Record<string, unknown> = {}
  for (const [name, asked] of Object.entries(schema.properties ?? {})) {
    const stated = nodes.map((node) => coerced(node[name], asked)).find((value) => value !== undefined)
    if (stated !== undefined) answer[name] = stated
    else if (titles.has(name)) answer[name] = $('h1').first().text().trim() || $('title').text().trim()
    else if (descriptions.has(name)) answer[name] = $('meta[name=description]').attr('content')
  }
  return answer
}

function nodesOf(text: string): Record<string, unknown>[] {
  try {
    return withGraph(JSON.parse(text))
  } catch {
    return []
  }
}

function withGraph(value: unknown): Record<string, unknown>[] {
  if (Array.isArray(value)) return value.flatMap(withGraph)
  if (typeof value !== 'object' || value === null) return []
  // An object that JSON made.
  const node = value as Record<string, unknown>
  return [node, ...('@graph' in node ? withGraph(node['@graph']) : [])]
}

function coerced(value: unknown, asked: Schema): unknown {
  if (asked.type === 'array') return Array.isArray(value) ? value.map((one) => plain(one)) : undefined
  const one = plain(value)
  if (asked.type === 'number' || asked.type === 'integer') {
    return one === undefined || Number.isNaN(Number(one)) ? undefined : Number(one)
  }
  return typeof one === (asked.type === 'boolean' ? 'boolean' : 'string') ? one : undefined
}

function plain(value: unknown): unknown {
  if (Array.isArray(value)) return plain(value[0])
  return typeof value === 'object' && value !== null && 'name' in value ? value.name : (value ?? undefined)
}
