import { expect, it } from 'vitest'
import { readSchema } from '../schema/read-schema.ts'
import { mergePages } from './merge-pages.ts'

const fields = { type: 'object', properties: { name: { type: 'string' }, price: { type: 'number' } } }
const shop = { type: 'object', properties: { products: { type: 'array', items: fields } } }

it('merges 3000 entries of 20 pages in linear time', async () => {
  const products = Array.from({ length: 3000 }, (_, index) => ({ name: `Thing ${index}`, price: index }))
  const evidence = new Proxy({}, { get: () => ({ reader: 'label', text: 'x' }) })
  const pages = Array.from({ length: 20 }, (_, index) => ({ url: `${index}`, value: { products }, evidence }))
  const merged = await mergePages(readSchema(shop).spec, pages)
  expect((merged.value as { products: unknown[] }).products).toHaveLength(3000)
  expect(merged.sources['products[2999].name']).toBeUndefined()
  expect(merged.unlisted.sources).toBe(1000)
})
