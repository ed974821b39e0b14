import { expect, it } from 'vitest'
import { parseHtml } from '../../content/tree/parse.ts'
import { readJson } from '../read-json.ts'

const text = { type: 'string' }
const number = { type: 'number' }

function read(body: string, properties: object, title = ''): unknown {
  const url = 'https://pier.example/a/1'
  const context = { url, base: url, language: 'en', title }
  return readJson(parseHtml(`<main>${body}</main>`), { type: 'object', properties }, context).value
}

it('reads the author that the page title names', () => {
  const body = '<h1>Low Water</h1><div>Noor Halim</div><div>Paperback</div>'
  expect(read(body, { title: text, author: text }, 'Low Water by Noor Halim | Quay')).toEqual({
    title: 'Low Water',
    author: 'Noor Halim',
  })
})

it('reads a second heading as subtitle and links to tag pages as keywords', () => {
  const body =
    '<h1>Bridge reopens</h1><h2>Repairs took long</h2><p>It did.</p><ul><li><a href="/tag/bridges">bridges</a></li><li><a href="/tag/county">county</a></li></ul>'
  expect(read(body, { subheadline: text, tags: { type: 'array', items: text } })).toEqual({
    subheadline: 'Repairs took long',
    tags: ['bridges', 'county'],
  })
})

it('reads the description below facts and a description heading', () => {
  const about = 'Tidewatch shows the tides of many harbours, offline and without an account.'
  const body = `<h1>Tidewatch</h1><div>Contains ads</div><h2>About this app</h2><p>${about}</p>`
  expect(read(body, { name: text, description: text })).toEqual({ name: 'Tidewatch', description: about })
})

it('reads the complete address if the page has only one', () => {
  const body = '<h1>Zur Linde</h1><p>Obere Hauptstraße 12, 85354 Freising</p>'
  expect(read(body, { adresse: text })).toEqual({ adresse: 'Obere Hauptstraße 12, 85354 Freising' })
})

it('matches identifiers with spelled-out umlauts, short descriptions and names with a year', () => {
  const body =
    '<h1>Zur Linde</h1><dl><dt>Öffnungszeiten</dt><dd>11–23 Uhr</dd><dt>Sitzplätze innen</dt><dd>80</dd><dt>Lease term</dt><dd>12 months</dd></dl>'
  expect(
    read(body, {
      oeffnungszeiten: text,
      platz_a: { ...number, description: 'Sitzplätze innen' },
      leaseTermMonths: number,
    }),
  ).toEqual({ oeffnungszeiten: '11–23 Uhr', platz_a: 80, leaseTermMonths: 12 })
})

it('ignores photo credits as images and price ranges as prices', () => {
  const body =
    '<h1>Tidewatch</h1><img src="/p.jpg" width="600" height="400"><div><div>In-app purchases</div><div>€1.99 - €19.99 per item</div></div>'
  expect(read(body, { photoCredit: text, price: number })).toBeUndefined()
})

it('ends a section at a line with the same markup as its label', () => {
  const body =
    '<h1>Staff engineer</h1><span>at Acme Grid</span><p><strong>Responsibilities</strong></p><ul><li>Own the pipeline</li><li>Mentor others</li></ul><p><strong>Good to have</strong></p><ul><li>Strong SQL</li><li>Patience</li></ul><p>Benefits: health, dental, pension</p>'
  const list = { type: 'array', items: text }
  expect(read(body, { title: text, company: text, responsibilities: list, benefits: list })).toEqual({
    title: 'Staff engineer',
    company: 'Acme Grid',
    responsibilities: ['Own the pipeline', 'Mentor others'],
    benefits: ['health', 'dental', 'pension'],
  })
})

it('reads lines with several labels, ends of ranges and paragraphs below a heading', () => {
  const about =
    'I study how forests of seaweed recover after storms, with long records from the west coast of Norway.'
  const body = `<h1>La marea</h1><p>Ref: LUM55 | Brand : <a href="/x/lumen">Lumen</a></p><p>Price: 14 a 28 €</p><p>+47 55 50 12 34</p><h2>Research</h2><p>${about}</p>`
  expect(
    read(body, {
      ...{
        reference: text,
        brand: text,
        precioMinimo: number,
        precioMaximo: number,
        research: text,
        phone: text,
      },
    }),
  ).toEqual({
    ...{ reference: 'LUM55', brand: 'Lumen', precioMinimo: 14, precioMaximo: 28, research: about },
    phone: '+47 55 50 12 34',
  })
})
