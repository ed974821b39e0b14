import { describe, expect, it } from 'vitest'
import { parseHtml } from '../content/tree/parse.ts'
import { type StructuredItem, structuredItemsOf, textOf } from './structured-data/structured-item.ts'
import { structuredData } from './structured-data.ts'

const base = 'https://shop.example/'
const read = (html: string) => structuredData(parseHtml(html), base)
const jsonLd = (text: string) => read(`<script type="application/ld+json">${text}</script>`).jsonLd
const names = (items: StructuredItem[]) => items.map((item) => textOf(item, 'name'))

describe('JSON-LD', () => {
  it.each([
    ['one object', '{"@type": "Product", "name": "A"}'],
    ['a list', '[{"@type": "Product", "name": "A"}]'],
    ['a graph', '{"@context": "https://schema.org", "@graph": [{"@type": "Product", "name": "A"}]}'],
    ['names with their vocabulary', '{"@type": "http://schema.org/Product", "schema:name": "A"}'],
    ['a value object', '{"@type": "Product", "name": {"@value": "A", "@language": "en"}}'],
    ['escaped quotes', '{&quot;@type&quot;: &quot;Product&quot;, &quot;name&quot;: &quot;A&quot;}'],
    ['a CDATA wrapper', '//<![CDATA[\n{"@type": "Product", "name": "A"}\n//]]>'],
    ['a comment wrapper', '<!-- {"@type": "Product", "name": "A"} -->'],
    ['trailing commas', '{"@type": "Product", "name": "A",}'],
    ['a line break in a string and a semicolon', '{"@type": "Product", "description": "x\ny", "name": "A"};'],
  ])('reads items from %s', (_, text) => {
    const items = jsonLd(text)
    expect(items.map((item) => item.types)).toEqual([['Product']])
    expect(names(items)).toEqual(['A'])
  })

  it('follows references to other items of the page, in any block', () => {
    const items = read(`
      <script type="application/ld+json">{"@type": "Product", "name": "A", "brand": {"@id": "#b"}}</script>
      <script type="application/ld+json">{"@type": "Brand", "@id": "#b", "name": "B"}</script>`).jsonLd
    expect(items[0] && textOf(items[0], 'brand')).toBe('B')
  })

  it('follows circular references', () => {
    const [one] = jsonLd(
      '[{"@type": "A", "@id": "a", "to": {"@id": "b"}}, {"@type": "B", "@id": "b", "to": {"@id": "a"}}]',
    )
    const back = one && structuredItemsOf(one, 'to').flatMap((other) => structuredItemsOf(other, 'to'))
    expect(back?.[0]).toBe(one)
  })

  it('skips an unparsable block and reads the others', () => {
    const items = read(`<script type="application/ld+json">{"@type": </script>
      <script type="application/ld+json">{"@type": "Product", "name": "A"}</script>`).jsonLd
    expect(names(items)).toEqual(['A'])
  })
})

describe('hostile JSON-LD', () => {
  it('ignores a block of five million characters', () => {
    expect(jsonLd(`{"@type": "Product", "name": "${'x'.repeat(5_000_000)}"}`)).toEqual([])
  })

  it('limits the nesting depth', () => {
    const nestedJson = `${'{"@type":"Product","name":"A","a":'.repeat(200_000)}1${'}'.repeat(200_000)}`
    const blocks = jsonLd(nestedJson.slice(0, 3_900_000))
    const nested = jsonLd(`${'{"@type":"Product","name":"A","a":'.repeat(5000)}1${'}'.repeat(5000)}`)
    expect(blocks).toEqual([])
    expect(names(nested)).toEqual(['A'])
  })

  it('limits the number of items', () => {
    const many = Array.from({ length: 60_000 }, () => '{"@type":"A"}').join()
    expect(jsonLd(`[${many}]`).length).toBeLessThan(60_000)
  })

  it('does not expose properties of Object.prototype', () => {
    const [item] = jsonLd(
      '{"@type": "Product", "name": "A", "__proto__": {"polluted": 1}, "constructor": "x"}',
    )
    expect(item && names([item])).toEqual(['A'])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('does not throw on values of unexpected types', () => {
    expect(() =>
      jsonLd('{"@type": ["Product", 5, null], "@id": 7, "@graph": "x", "offers": [[[]]]}'),
    ).not.toThrow()
  })
})

describe('microdata', () => {
  it('nests items, reads values from the attribute of the element type and follows itemref', () => {
    const [product] = read(`<div itemscope itemtype="https://schema.org/Product" itemref="far">
      <h1 itemprop="name">A <b>lamp</b></h1><img itemprop="image" src="/a.png">
      <div itemprop="offers" itemscope itemtype="https://schema.org/Offer">
        <meta itemprop="price" content="10"><link itemprop="availability" href="https://schema.org/InStock">
      </div></div><p id="far"><span itemprop="brand">B</span></p>`).microdata
    const [offer] = product ? structuredItemsOf(product, 'offers') : []
    expect(product && [textOf(product, 'name'), textOf(product, 'image'), textOf(product, 'brand')]).toEqual([
      'A lamp',
      'https://shop.example/a.png',
      'B',
    ])
    expect(offer && [textOf(offer, 'price'), textOf(offer, 'availability')]).toEqual([
      '10',
      'https://schema.org/InStock',
    ])
  })

  it('limits the text of nested properties', () => {
    const nestedHtml = `${'<div itemprop="a">'.repeat(400)}${'word '.repeat(50_000)}${'</div>'.repeat(400)}`
    const [item] = read(`<div itemscope>${nestedHtml}</div>`).microdata
    expect(item?.properties.get('a')?.length).toBeLessThan(400)
  })
})

describe('RDFa', () => {
  it('reads items by typeof and property', () => {
    const [product] =
      read(`<div vocab="https://schema.org/" typeof="Product"><h1 property="schema:name">A</h1>
      <div property="offers" typeof="Offer"><span property="price" content="10">10 €</span></div></div>`).rdfa
    const [offer] = product ? structuredItemsOf(product, 'offers') : []
    expect(product && textOf(product, 'name')).toBe('A')
    expect(offer && textOf(offer, 'price')).toBe('10')
  })
})

describe('embedded state', () => {
  it.each([
    ['a JSON block', '<script id="__NEXT_DATA__" type="application/json">{"a": 1}</script>', '__NEXT_DATA__'],
    ['an assignment', '<script>window.__INITIAL_STATE__ = {"a": 1}; run()</script>', '__INITIAL_STATE__'],
    ['a quoted name', '<script>window["__NUXT__"]={a:1}</script>', '__NUXT__'],
    ['text', `<script>window.__STATE__ = JSON.parse("{\\"a\\": 1}")</script>`, '__STATE__'],
  ])('reads state from %s', (_, html, name) => {
    expect(read(html).states).toEqual([{ name, value: { a: 1 } }])
  })

  it('does not read state from a function call', () => {
    expect(read('<script>window.__NUXT__=(function(a){return {b:a}}(1))</script>').states).toEqual([])
  })

  it('returns the entries pushed to dataLayer', () => {
    const { dataLayer } = read(`<script>window.dataLayer = window.dataLayer || [];
      dataLayer.push({ecommerce: null}); dataLayer.push({'event': 'x', a: 1,})</script>
      <script>var dataLayer = [{"b": 2}]</script>`)
    expect(dataLayer).toEqual([{ ecommerce: null }, { event: 'x', a: 1 }, { b: 2 }])
  })

  it('returns no state for a script with 100,000 unfinished objects', () => {
    expect(read(`<script>${'window.__A__={"a":'.repeat(100_000)}</script>`).states).toEqual([])
  })
})
