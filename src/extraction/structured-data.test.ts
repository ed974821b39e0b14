import { describe, expect, it } from 'vitest'
import { parseHtml } from '../content/tree/parse.ts'
import { type StructuredItem, structuredItemsOf, textOf } from './structured-data/structured-item.ts'
import { structuredData } from './structured-data.ts'

const base = 'https://shop.example/'
const read = (html: string) => structuredData(parseHtml(html), base)
const jsonLd = (text: string) => read(`<script type="application/ld+json">${text}</script>`).jsonLd
const names = (things: StructuredItem[]) => things.map((thing) => textOf(thing, 'name'))

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
  ])('is read from %s', (_, text) => {
    const things = jsonLd(text)
    expect(things.map((thing) => thing.types)).toEqual([['Product']])
    expect(names(things)).toEqual(['A'])
  })

  it('follows references to other things of the page, in any block', () => {
    const things = read(`
      <script type="application/ld+json">{"@type": "Product", "name": "A", "brand": {"@id": "#b"}}</script>
      <script type="application/ld+json">{"@type": "Brand", "@id": "#b", "name": "B"}</script>`).jsonLd
    expect(things[0] && textOf(things[0], 'brand')).toBe('B')
  })

  it('follows things that refer to each other', () => {
    const [one] = jsonLd(
      '[{"@type": "A", "@id": "a", "to": {"@id": "b"}}, {"@type": "B", "@id": "b", "to": {"@id": "a"}}]',
    )
    const back = one && structuredItemsOf(one, 'to').flatMap((other) => structuredItemsOf(other, 'to'))
    expect(back?.[0]).toBe(one)
  })

  it('skips a block that cannot be read and keeps the others', () => {
    const things = read(`<script type="application/ld+json">{"@type": </script>
      <script type="application/ld+json">{"@type": "Product", "name": "A"}</script>`).jsonLd
    expect(names(things)).toEqual(['A'])
  })
})

describe('hostile JSON-LD', () => {
  it('is left alone when it is larger than a description can be', () => {
    expect(jsonLd(`{"@type": "Product", "name": "${'x'.repeat(5_000_000)}"}`)).toEqual([])
  })

  it('is read only so deep', () => {
    const deep = `${'{"@type":"Product","name":"A","a":'.repeat(200_000)}1${'}'.repeat(200_000)}`
    const blocks = jsonLd(deep.slice(0, 3_900_000))
    const nested = jsonLd(`${'{"@type":"Product","name":"A","a":'.repeat(5000)}1${'}'.repeat(5000)}`)
    expect(blocks).toEqual([])
    expect(names(nested)).toEqual(['A'])
  })

  it('is read only so far', () => {
    const many = Array.from({ length: 60_000 }, () => '{"@type":"A"}').join()
    expect(jsonLd(`[${many}]`).length).toBeLessThan(60_000)
  })

  it('cannot reach what every object has', () => {
    const [thing] = jsonLd(
      '{"@type": "Product", "name": "A", "__proto__": {"polluted": 1}, "constructor": "x"}',
    )
    expect(thing && names([thing])).toEqual(['A'])
    expect(({} as { polluted?: number }).polluted).toBeUndefined()
  })

  it('may repeat one name for itself and everything', () => {
    expect(() =>
      jsonLd('{"@type": ["Product", 5, null], "@id": 7, "@graph": "x", "offers": [[[]]]}'),
    ).not.toThrow()
  })
})

describe('microdata', () => {
  it('nests things, takes values from the attribute that holds them and follows references', () => {
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

  it('is read only so far where properties hold each other', () => {
    const deep = `${'<div itemprop="a">'.repeat(400)}${'word '.repeat(50_000)}${'</div>'.repeat(400)}`
    const [thing] = read(`<div itemscope>${deep}</div>`).microdata
    expect(thing?.properties.get('a')?.length).toBeLessThan(400)
  })
})

describe('RDFa', () => {
  it('is read by type and property', () => {
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
  ])('is read from %s', (_, html, name) => {
    expect(read(html).states).toEqual([{ name, value: { a: 1 } }])
  })

  it('is not read from code', () => {
    expect(read('<script>window.__NUXT__=(function(a){return {b:a}}(1))</script>').states).toEqual([])
  })

  it('holds what the page told its tag manager', () => {
    const { dataLayer } = read(`<script>window.dataLayer = window.dataLayer || [];
      dataLayer.push({ecommerce: null}); dataLayer.push({'event': 'x', a: 1,})</script>
      <script>var dataLayer = [{"b": 2}]</script>`)
    expect(dataLayer).toEqual([{ ecommerce: null }, { event: 'x', a: 1 }, { b: 2 }])
  })

  it('gives up on a script full of beginnings', () => {
    expect(read(`<script>${'window.__A__={"a":'.repeat(100_000)}</script>`).states).toEqual([])
  })
})
