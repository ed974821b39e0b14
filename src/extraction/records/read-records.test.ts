import { expect, it } from 'vitest'
import { parseHtml } from '../../content/tree/parse.ts'
import { readJson } from '../read-json.ts'

const text = { type: 'string' }
const number = { type: 'number' }
const integer = { type: 'integer' }
const flag = { type: 'boolean' }
const link = { type: 'string', format: 'uri' }
const list = (properties: object, description = '') => ({
  ...{ type: 'array', description, items: { type: 'object', properties } },
})

function read(html: string, properties: object): unknown {
  const url = 'https://line.example/trains'
  const page = { url, base: url, language: 'en', title: '' }
  return readJson(parseHtml(html), { type: 'object', properties }, page).value
}

const trains = [
  { name: 'Night Owl', reviews: 214, weight: 40, sleeper: true, was: 90, price: 72 },
  { name: 'Sea Line', reviews: 3, weight: 55, sleeper: false, was: undefined, price: 31 },
  { name: 'Moor Hopper', reviews: 56, weight: 61, sleeper: true, was: 40, price: 35 },
  { name: 'Pier Gate Local', reviews: 9, weight: 38, sleeper: false, was: undefined, price: 12 },
]

it('reads cards by words beside numbers, flags, units and struck-through prices', () => {
  const html = trains
    .map(
      ({ name, reviews, weight, sleeper, was, price }, at) =>
        `<section class="box"><h3><a href="/t/${at}">${name}</a></h3><p>${reviews} reviews</p><p>${weight} t</p>${sleeper ? '<p>Sleeping cars</p>' : ''}<p><i>Seat</i> ${was ? `<s>$${was}</s> <b>$${price}</b>` : `<u>$${price}</u>`}</p><a href="/pdf/${at}">Timetable</a></section>${at === 0 ? '<section class="box"><p>Advertisement</p></section>' : ''}`,
    )
    .join('')
  expect(
    read(html, {
      trains: list({
        ...{ name: text, reviewCount: integer, weight_t: number, hasSleepingCars: flag, price: number },
        oldPrice: number,
      }),
    }),
  ).toEqual({
    trains: trains.map(({ name, reviews, weight, sleeper, was, price }) => ({
      ...{
        name,
        reviewCount: reviews,
        weight_t: weight,
        ...(sleeper ? { hasSleepingCars: true } : {}),
        price,
      },
      ...(was ? { oldPrice: was } : {}),
    })),
  })
})

it('reads tables by two header rows, similar names and abbreviations', () => {
  const html = `<table><thead><tr><th rowspan="2">Line</th><th colspan="2">Seats</th><th rowspan="2">Dep.</th></tr><tr><th>Online</th><th>At the desk</th></tr></thead>
    <tbody><tr><td>Coast</td><td>40</td><td>12</td><td>9</td></tr><tr><td>Moor</td><td>31</td><td>7</td><td>4</td></tr></tbody></table>`
  const fields = {
    ...{ line: text, online_seats: integer, departures: integer },
    desk_seats: { ...integer, description: 'seats sold at the desk' },
  }
  expect(read(html, { lines: list(fields) })).toEqual({
    lines: [
      { line: 'Coast', online_seats: 40, departures: 9, desk_seats: 12 },
      { line: 'Moor', online_seats: 31, departures: 4, desk_seats: 7 },
    ],
  })
})

it('reads labels and their values below the heading that names them', () => {
  const html = `<h1>Night Owl</h1><dl><dt>Operator</dt><dd>Coast Rail</dd><dt>Stops</dt><dd>9</dd><dt>Bar</dt><dd>Car 3</dd></dl>
    <h2>Technical data</h2><div><div class="r"><b>Gauge</b><i>1435 mm</i></div><div class="r"><b>Axles</b><i>8</i></div></div>`
  expect(read(html, { technicalData: list({ label: text, value: text }) })).toEqual({
    technicalData: [
      { label: 'Gauge', value: '1435 mm' },
      { label: 'Axles', value: '8' },
    ],
  })
})

it('splits lines below a heading in the order of the schema', () => {
  const html =
    '<main><h1>Night Owl</h1><h2>Accidents</h2><p>Derailed, Moor Cross, 1931<br>Collision, Pier Gate, 1954</p><h2>Sources</h2><p>Archive, 1990, x</p></main>'
  const fields = { event: text, place: text, year: integer }
  expect(read(html, { name: text, accidents: list(fields) })).toEqual({
    name: 'Night Owl',
    accidents: [
      { event: 'Derailed', place: 'Moor Cross', year: 1931 },
      { event: 'Collision', place: 'Pier Gate', year: 1954 },
    ],
  })
})

it('reads no records from the links to other items on a page about one item', () => {
  const other = (at: number) =>
    `<div class="o"><a href="/t/${at}">Train ${at}</a><span>4.${at} out of 5</span></div>`
  const html = `<main><h1>Night Owl</h1><p>It runs along the coast by night, with a bar and two sleeping cars.</p><h2>Other trains</h2>${[1, 2, 3].map(other).join('')}</main>`
  const reviews = list({ author: text, rating: number, text })
  const value = read(html, { name: text, line: text, gauge: number, operator: text, reviews })
  expect(value).toEqual({ name: 'Night Owl' })
})

it('reads lists in the state of a page if the page shows them', () => {
  const stops = [
    { title: 'Pier Gate', minutes: 4 },
    { title: 'Moor Cross', minutes: 31 },
  ]
  const state = `<script type="application/json">${JSON.stringify({
    a: { stops },
    b: [
      { title: 'x', minutes: 1 },
      { title: 'y', minutes: 2 },
    ],
  })}</script>`
  const html = `<h1>Night Owl</h1><p>Pier Gate after 4 minutes, Moor Cross after 31 minutes.</p>${state}`
  expect(read(html, { stops: list({ title: text, minutes: integer }) })).toEqual({ stops })
})

it('reads cards that are links', () => {
  const html = trains
    .map(
      ({ name, price }, at) =>
        `<a href="/t/${at}" class="block"><div><h3>${name}</h3><p>$${price}</p></div></a>`,
    )
    .join('')
  expect(read(`<main>${html}</main>`, { trains: list({ name: text, price: number, url: link }) })).toEqual({
    trains: trains.map(({ name, price }, at) => ({ name, price, url: `https://line.example/t/${at}` })),
  })
})

it('treats one position of all records as one column, whatever the texts look like', () => {
  const topics = [
    ['Platform 9', 'ann'],
    ['Lost gloves', 'bo'],
    ['A very long topic about the early train to the coast', 'bo'],
    ['Tickets in 2027', 'bo'],
  ]
  const html = topics
    .map(
      ([title, user], at) =>
        `<div class="qa"><div class="qb"><a href="/n/${at}">${title}</a></div><div class="qc"><a href="/u/${user}">${user}</a></div></div>`,
    )
    .join('')
  expect(read(`<main>${html}</main>`, { topics: list({ title: text, url: link }) })).toEqual({
    topics: topics.map(([title], at) => ({ title, url: `https://line.example/n/${at}` })),
  })
})

it('begins records without their own elements at a heading', () => {
  const html = trains.map(({ name, price }) => `<h3>${name}</h3><p>Price: $${price}</p><p>Daily</p>`).join('')
  expect(
    read(`<body><h1>Trains</h1><p>All year.</p>${html}<h2>Contact</h2><p>By phone</p></body>`, {
      trains: list({ name: text, price: number }),
    }),
  ).toEqual({ trains: trains.map(({ name, price }) => ({ name, price })) })
})

it('recognises values without a name by their format, and not as the only one left', () => {
  const jobs = [
    ['Stoker', 'Coast Line', 'Leeds, United Kingdom', 'Full-time', '€30k – €35k'],
    ['Guard', 'Moor Rail', 'Porto, Portugal', 'Part-time', '€21k – €24k'],
    ['Signal engineer', 'Coast Line', 'Oslo, Norway', 'Contract', '€50k – €61k'],
  ]
  const html = jobs
    .map(
      ([title, company, place, work, pay], at) =>
        `<div class="x_a"><a class="x_b" href="/j/${at}">${title}</a><div class="x_c">${company}</div><div class="x_d"><span>${place}</span><span>·</span><span>${work}</span><span>·</span><span>${pay}</span></div></div>`,
    )
    .join('')
  const item = { title: text, company: text, location: text, employmentType: text }
  expect(
    read(`<main>${html}</main>`, {
      jobs: list({ ...item, salaryMin: number, salaryMax: number, airline: text }),
    }),
  ).toEqual({
    jobs: jobs.map(([title, , location, employmentType, pay = '']) => ({
      ...{ title, location, employmentType },
      salaryMin: Number(pay.slice(1, 3)) * 1000,
      salaryMax: Number(pay.slice(8, 10)) * 1000,
    })),
  })
})

it('identifies values by the URL of a link and by the icon beside a number', () => {
  const html = trains
    .map(
      ({ name, reviews, weight }, at) =>
        `<li><h4><a href="/t/${at}">${name}</a> <span>Public</span></h4><p>Run by <a href="/operators/${at}">Line ${'ABCD'[at]}</a></p><p><a href="/t/${at}/riders"><svg aria-label="riders"></svg> ${reviews}</a> <a><svg aria-label="stops"></svg> ${weight}</a></p></li>`,
    )
    .join('')
  expect(
    read(`<ul>${html}</ul>`, {
      trains: list({ name: text, operator: text, riders: integer, stops: integer }),
    }),
  ).toEqual({
    trains: trains.map(({ name, reviews, weight }, at) => ({
      ...{ name, operator: `Line ${'ABCD'[at]}`, riders: reviews, stops: weight },
    })),
  })
})

it('supports a header for rows that are not a table, and a table footer', () => {
  const rows = [
    ['16:05', 'Coast', 'B22'],
    ['16:40', 'Moor', 'A10'],
    ['17:15', 'Pier', 'C4'],
  ]
  const row = (cells: string[]) =>
    `<div role="row">${cells.map((cell) => `<span>${cell}</span>`).join('')}</div>`
  const html = row(['Time', 'Destination', 'Gate']) + rows.map(row).join('')
  const fields = { destination: text, gate: text, airline: text }
  expect(read(`<main>${html}</main>`, { trains: list(fields) })).toEqual({
    trains: rows.map(([, destination, gate]) => ({ destination, gate })),
  })
  const table = `<table><thead><tr><th>Line</th><th>2026</th><th>2027</th></tr></thead><tbody><tr><td>Coast</td><td>4</td><td>5</td></tr><tr><td>Moor</td><td>6</td><td>7</td></tr></tbody><tfoot><tr><td>Total</td><td>10</td><td>12</td></tr></tfoot></table>`
  expect(read(table, { lines: list({ line: text, seats2026: integer, seats2027: integer }) })).toEqual({
    lines: [
      { line: 'Coast', seats2026: 4, seats2027: 5 },
      { line: 'Moor', seats2026: 6, seats2027: 7 },
    ],
  })
})

it('reads no records from a list of other items', () => {
  const html = `<article><h1>We move</h1><p>The shop moves to another street in March.</p></article><section><h3>Recent posts</h3><ul><li><a href="/1">Winter hours</a></li><li><a href="/2">New tools</a></li><li><a href="/3">Open day</a></li></ul></section>`
  expect(read(html, { products: list({ name: text, price: number, url: link }) })).toBeUndefined()
})

it('reads a monthly price as no annual price, and items of a record as a list', () => {
  const plans = [
    ['Rail', 9, ['One seat', 'Paper tickets']],
    ['Coast', 19, ['Two seats', 'Tea', 'Newspaper']],
    ['Moor', 29, ['Four seats', 'Tea']],
  ] as const
  const html = plans
    .map(
      ([name, price, has]) =>
        `<div class="p_x"><h2>${name}</h2><div><span>$${price}</span><span>/month</span></div><ul>${has.map((one) => `<li>${one}</li>`).join('')}</ul></div>`,
    )
    .join('')
  expect(
    read(`<main>${html}</main>`, {
      plans: list({
        name: text,
        annualPrice: number,
        monthlyPrice: number,
        features: { type: 'array', items: text },
      }),
    }),
  ).toEqual({ plans: plans.map(([name, monthlyPrice, features]) => ({ name, monthlyPrice, features })) })
})

it('reads the columns of comparison tables as records', () => {
  const table =
    '<table><tr><td></td><th>Metro 3</th><th>Coast X</th><th>Alpine</th></tr><tr><th>Price</th><td>€899</td><td>€1,250</td><td>€2,400</td></tr><tr><th>Brakes</th><td>Rim</td><td>Disc</td><td>Disc</td></tr></table>'
  expect(read(table, { bikes: list({ model: text, price: number, brakes: text }) })).toEqual({
    bikes: [
      { model: 'Metro 3', price: 899, brakes: 'Rim' },
      { model: 'Coast X', price: 1250, brakes: 'Disc' },
      { model: 'Alpine', price: 2400, brakes: 'Disc' },
    ],
  })
})

it('applies headings between records to the records below', () => {
  const show = (name: string, time: string) => `<li><a href="/${name}">${name}</a> <span>${time}</span></li>`
  const html = `<h1>Programme</h1><h3>Friday 4 December 2026</h3><ul>${show('Salt', '19:00')}${show('Quay', '21:30')}</ul><h3>Saturday 5 December 2026</h3><ul>${show('Boats', '18:00')}</ul>`
  const fields = { film: text, date: { type: 'string', format: 'date' }, time: text }
  expect(read(`<main>${html}</main>`, { screenings: list(fields) })).toEqual({
    screenings: [
      { film: 'Salt', date: '2026-12-04', time: '19:00' },
      { film: 'Quay', date: '2026-12-04', time: '21:30' },
      { film: 'Boats', date: '2026-12-05', time: '18:00' },
    ],
  })
})

it('reads only the records below the heading of their list', () => {
  const post = (words: string, user: string) =>
    `<div class="z"><p>${words}</p><div><a href="/u/${user}">${user}</a></div></div>`
  const html = `<h1>How do I descale a kettle?</h1>${post('It has a thick white layer at the bottom.', 'ann')}<h2>2 Answers</h2>${post('Fill it half with vinegar and half with water.', 'bo')}${post('Citric acid works as well and does not smell.', 'cy')}`
  expect(read(`<main>${html}</main>`, { answers: list({ text, author: text }) })).toEqual({
    answers: [
      { text: 'Fill it half with vinegar and half with water.', author: 'bo' },
      { text: 'Citric acid works as well and does not smell.', author: 'cy' },
    ],
  })
})
