import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** The data and the installed packages for the JavaScript builders. */
export const { shop, forum, list } = JSON.parse(
  readFileSync(new URL('../data.json', import.meta.url), 'utf8'),
)

export const packages = `${process.env.PACKAGES}/node_modules`
export const load = createRequire(`${packages}/`)

export function keep(template, name, html, truth) {
  const folder = `${process.env.RAW}/${template}`
  mkdirSync(folder, { recursive: true })
  writeFileSync(`${folder}/${name}.html`, html)
  writeFileSync(`${folder}/${name}.json`, JSON.stringify({ records: [], texts: [], ...truth }))
}
