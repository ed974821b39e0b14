/**
 * Converts the output of the builders to the corpus. Removes scripts and styles, adds surroundings, and checks that
 * each page contains its expected texts.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { surround } from './surroundings.mjs'

const corpus = new URL('../pages/', import.meta.url)
const raw = process.env.RAW
const maxLength = 40_000
/** Templates without surroundings, because real file listings and mail archives have none. */
const standalone = new Set(['apache-autoindex', 'nginx-autoindex', 'cgit', 'gitweb', 'mhonarc'])

rmSync(corpus, { recursive: true, force: true })
for (const [index, template] of readdirSync(raw).toSorted().entries()) {
  const folder = new URL(`${template}/`, corpus)
  mkdirSync(folder, { recursive: true })
  const truths = {}
  for (const file of readdirSync(`${raw}/${template}`).toSorted()) {
    if (!file.endsWith('.json')) continue
    const name = file.slice(0, -5)
    const truth = JSON.parse(readFileSync(`${raw}/${template}/${file}`, 'utf8'))
    const page = lighten(readFileSync(`${raw}/${template}/${name}.html`, 'utf8'))
    const isShop = truth.kind === 'product' || truth.kind === 'collection'
    const { html, absent } = standalone.has(template)
      ? { html: page, absent: [] }
      : surround(page, index, isShop)
    if (html.length > maxLength) throw new Error(`${template}/${name} has ${html.length} characters`)
    check(`${template}/${name}`, html, truth)
    writeFileSync(new URL(`${name}.html`, folder), html)
    truths[name] = { ...truth, absent: [...absent, ...(truth.absent ?? [])] }
  }
  writeFileSync(new URL('truth.json', folder), `${JSON.stringify(truths, null, 1)}\n`)
  console.log(`${template}: ${Object.keys(truths).length} pages`)
}

/** Removes scripts, styles and comments, but keeps JSON data, which readers use as evidence. */
function lighten(html) {
  return html
    .replace(/<script\b([^>]*)>[\s\S]*?<\/script>/gi, (element, attributes) =>
      /ld\+json|__NEXT_DATA__|application\/json/.test(attributes) ? element : '',
    )
    .replace(/<style\b[^>]*>[\s\S]*?<\/style>/gi, '')
    .replace(/<link\b[^>]*rel="?(?:stylesheet|preload|dns-prefetch)[^>]*>/gi, '')
    .replace(/<!--(?!\[if)[\s\S]*?-->/g, '')
    .replace(/<svg\b[\s\S]*?<\/svg>/gi, '<svg></svg>')
    .replace(/[ \t]+\n/g, '\n')
    .replace(/\n{2,}/g, '\n')
    .replace(/\n {8,}/g, '\n        ')
    .replace(/\t{4,}/g, '\t\t\t')
}

function check(name, html, truth) {
  const pageText = plain(html)
  const { title, records, texts } = truth
  const needed = [...(title ? [title] : []), ...texts]
  for (const { name: itemName, price, author, date, texts: own } of records) {
    needed.push(...[itemName, price, author, date].filter(Boolean), ...own)
  }
  const missing = needed.filter((text) => !pageText.includes(plain(text)))
  if (missing.length > 0) throw new Error(`${name} does not say: ${missing.join(' | ')}`)
}

function plain(html) {
  const entities = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', rsquo: '’', apos: "'" }
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (reference, name) => entities[name] ?? reference)
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
}
