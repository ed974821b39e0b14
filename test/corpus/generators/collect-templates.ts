import { mkdirSync, writeFileSync } from 'node:fs'
import { discourse } from './templates/discourse.ts'
import { phpbb } from './templates/phpbb.ts'
import { shopify } from './templates/shopify.ts'
import { woocommerce } from './templates/woocommerce.ts'

/** Writes pages of programs that cannot be run here, in the structure of their templates. */
for (const [generator, pages] of Object.entries({ discourse, phpbb, shopify, woocommerce })) {
  const pageFolder = new URL(`pages/${generator}/`, import.meta.url)
  mkdirSync(pageFolder, { recursive: true })
  for (const { name, html } of pages) writeFileSync(new URL(`${name}.html`, pageFolder), html)
  const expectations = Object.fromEntries(pages.map(({ name, expectation }) => [name, expectation]))
  const path = new URL(`expect/${generator}.json`, import.meta.url)
  writeFileSync(path, `${JSON.stringify(expectations, null, 2)}\n`)
}
