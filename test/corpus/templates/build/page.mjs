import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'

/** What every builder in JavaScript needs: the data, the installed packages, and a place for what was rendered. */
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
