/**
 * Turns what the builders rendered into the corpus: scripts and styles go, surroundings come, and every text of the
 * truth is looked for in the page, so that no page is held to what it does not say.
 */
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { surround } from './surroundings.mjs'

const corpus = new URL('../pages/', import.meta.url)
const raw = process.env.RAW
const largest = 40_000
/** Listings of files stand alone, as on the sites that have them. */
const bare = new Set(['apache-autoindex', 'nginx-autoindex', 'cgit', 'gitweb', 'mhonarc'])

rmSync(corpus, { recursive: true, force: true })
for (const [place, template] of readdirSync(raw).toSorted().entries()) {
  const folder = new URL(`${template}/`, corpus)
  mkdirSync(folder, { recursive: true })
  const truths = {}
  for (const file of readdirSync(`${raw}/${template}`).toSorted()) {
    if (!file.endsWith('.json')) continue
    const name = file.slice(0, -5)
    const truth = JSON.parse(readFileSync(`${raw}/${template}/${file}`, 'utf8'))
    const page = lighten(readFileSync(`${raw}/${template}/${name}.html`, 'utf8'))
    const isShop = truth.kind === 'product' || truth.kind === 'collection'
    const { html, absent } = bare.has(template) ? { html: page, absent: [] } : surround(page, place, isShop)
    if (html.length > largest) throw new Error(`${template}/${name} has ${html.length} characters`)
    check(`${template}/${name}`, html, truth)
    writeFileSync(new URL(`${name}.html`, folder), html)
    truths[name] = { ...truth, absent: [...absent, ...(truth.absent ?? [])] }
  }
  writeFileSync(new URL('truth.json', folder), `${JSON.stringify(truths, null, 1)}\n`)
  console.log(`${template}: ${Object.keys(truths).length} pages`)
}

/** Data for machines stays; it is evidence. */
function lighten(html) {
  return html
    .replace(/<script\b([^>]*)>[\s\S]*?<\/script>/gi, (whole, attributes) =>
      /ld\+json|__NEXT_DATA__|application\/json/.test(attributes) ? whole : '',
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
  const said = plain(html)
  const { title, records, texts } = truth
  const needed = [...(title ? [title] : []), ...texts]
  for (const { name: called, price, author, date, texts: own } of records) {
    needed.push(...[called, price, author, date].filter(Boolean), ...own)
  }
  const missing = needed.filter((text) => !said.includes(plain(text)))
  if (missing.length > 0) throw new Error(`${name} does not say: ${missing.join(' | ')}`)
}

function plain(html) {
  const named = { amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ', rsquo: '’', apos: "'" }
  return html
    .replace(/<[^>]+>/g, ' ')
    .replace(/&#x([0-9a-f]+);/gi, (_, code) => String.fromCodePoint(Number.parseInt(code, 16)))
    .replace(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))
    .replace(/&(\w+);/g, (whole, name) => named[name] ?? whole)
    .replace(/[‘’]/g, "'")
    .replace(/\s+/g, ' ')
}
