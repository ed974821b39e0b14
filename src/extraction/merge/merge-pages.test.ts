import { describe, expect, it } from 'vitest'
import { readSchema } from '../schema/read-schema.ts'
import type { PageValues } from './merge-pages.ts'
import { mergePages } from './merge-pages.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const product = { type: 'object', properties: { name: text, price: number, weight: text } }
const shop = {
  type: 'object',
  properties: {
    products: { type: 'array', items: { type: 'object', properties: { name: text, price: number } } },
  },
}

/** Creates a page whose fields all have the same reader, except those in `readers`. */
const page = (
  url: string,
  value: unknown,
  readers: Record<string, string> = {},
  defaultReader = 'label',
): PageValues => ({
  ...{ url, value },
  evidence: new Proxy(
    {},
    { get: (_, path) => ({ reader: readers[String(path)] ?? defaultReader, text: 'x' }) },
  ),
})
const merge = (schema: object, ...pages: PageValues[]) => mergePages(readSchema(schema).spec, pages)

describe('single values of several pages', () => {
  it('come from the most trusted reader', async () => {
    const merged = await merge(
      product,
      page('a', { name: 'Lamp', price: 10 }, { price: 'name' }),
      page('b', { name: 'Lamp', price: 12 }, { price: 'json-ld' }),
    )
    expect(merged.value).toEqual({ name: 'Lamp', price: 12 })
    expect(merged.sources).toEqual({ name: ['a', 'b'], price: ['b'] })
    expect(merged.conflicts).toMatchObject([
      {
        path: 'price',
        chosen: 12,
        values: [
          { value: 12, sources: ['b'] },
          { value: 10, sources: ['a'] },
        ],
      },
    ])
    expect(merged.missing).toEqual(['weight'])
  })

  it('come from two agreeing weak pages instead of one strong page', async () => {
    const weak = { price: 'section' }
    const merged = await merge(
      product,
      page('a', { name: 'Lamp', price: 10 }),
      page('b', { name: 'lamp!', price: 12 }, weak),
      page('c', { name: 'Lamp', price: 12 }, weak),
    )
    expect(merged.value).toEqual({ name: 'Lamp', price: 12 })
  })

  it('come from the first page if the evidence is equal', async () => {
    const merged = await merge(product, page('a', { price: 10 }), page('b', { price: 12 }))
    expect(merged.value).toEqual({ price: 10 })
  })

  it('are not mixed from two entities, unless no other value exists', async () => {
    const merged = await merge(
      product,
      page('a', { name: 'Lamp', price: 10 }),
      page('b', { name: 'Chair', price: 90, weight: '9 kg' }, { price: 'json-ld' }),
    )
    expect(merged.value).toEqual({ name: 'Lamp', price: 10, weight: '9 kg' })
    expect(merged.borrowed).toEqual(['weight'])
    expect(merged.conflicts.map(({ path }) => path)).toEqual(['name', 'price'])
  })

  it('are merged if the schema is a single value', async () => {
    const merged = await merge(number, page('a', 3), page('b', 4), page('c', 4))
    expect(merged).toMatchObject({ value: 4, sources: { value: ['b', 'c'] } })
  })

  it('are undefined if no page has a value', async () => {
    expect(await merge(product)).toMatchObject({ value: undefined, sources: {}, conflicts: [] })
  })
})

describe('lists of several pages', () => {
  const entries = (...products: object[]) => ({ products })

  it('are joined, with entries of both pages merged', async () => {
    const merged = await merge(
      shop,
      page('a', entries({ name: 'Lamp', price: 10 }, { name: 'Chair' })),
      page('b', entries({ name: 'chair', price: 90 }, { name: 'Desk' })),
    )
    expect(merged.value).toEqual(
      entries({ name: 'Lamp', price: 10 }, { name: 'Chair', price: 90 }, { name: 'Desk' }),
    )
    expect(merged.sources['products[1].name']).toEqual(['a', 'b'])
    expect(merged.sources['products[1].price']).toEqual(['b'])
    expect(merged.missing).toEqual([])
  })

  it('keep entries with the same name but different values, and duplicates within one page', async () => {
    const merged = await merge(
      shop,
      page('a', entries({ name: 'Lamp', price: 10 }, { name: 'Lamp', price: 10 })),
      page('b', entries({ name: 'Lamp', price: 12 })),
    )
    expect(merged.value).toEqual(
      entries({ name: 'Lamp', price: 10 }, { name: 'Lamp', price: 10 }, { name: 'Lamp', price: 12 }),
    )
  })

  it('merge entries with the same id, even if other values differ', async () => {
    const schema = {
      type: 'array',
      items: { type: 'object', properties: { sku: text, price: number } },
    }
    const merged = await merge(
      schema,
      page('a', [{ sku: 'A-1', price: 10 }]),
      page('b', [
        { sku: 'a1', price: 3 },
        { sku: 'A-1', price: 12 },
      ]),
    )
    expect(merged.value).toEqual([
      { sku: 'A-1', price: 10 },
      { sku: 'a1', price: 3 },
    ])
    expect(merged.conflicts).toMatchObject([{ path: '[0].price', chosen: 10 }])
  })

  it('of scalars contain each value once', async () => {
    const tags = { type: 'object', properties: { tags: { type: 'array', items: text } } }
    const merged = await merge(
      tags,
      page('a', { tags: ['Red', 'Blue'] }),
      page('b', { tags: ['blue', 'Green'] }),
    )
    expect(merged.value).toEqual({ tags: ['Red', 'Blue', 'Green'] })
  })

  it('end at maxItems, and count the rest', async () => {
    const twoItems = { type: 'array', maxItems: 2, items: text }
    const merged = await merge(twoItems, page('a', ['one', 'two', 'three']), page('b', ['four']))
    expect(merged).toMatchObject({ value: ['one', 'two'], leftOut: 2 })
  })
})
