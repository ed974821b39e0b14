import { frame } from '../frame.ts'
import { otherGoods } from '../goods.ts'
import { html, json } from '../html.ts'
import { addDays, day, dayInDigits, figure } from '../locale.ts'
import { date, integer, list, number, object, text } from '../schema.ts'
import { present } from '../template.ts'
import { city, personName, slug } from '../words.ts'
import { type LearnedSite, ld } from './site.ts'

const wineShop: LearnedSite = {
  name: 'wine-shop',
  schema: object({
    wine: text('name of the wine'),
    producer: text(),
    vintage: integer('year'),
    price: number('price per bottle in pounds'),
    casePrice: number('price of a case'),
    alcoholPercent: number(),
    region: text(),
  }),
  page(random) {
    const wine =
      `${random.pick(['Côte Brune', 'Old Vine Grenache', 'Riesling Kabinett', 'Barbera', 'Alvarinho'])} ${random.pick(['Reserva', 'Les Pierres', 'Classico', 'No. 3', ''])}`.trim()
    const producer = random.pick(['Domaine Fauvel', 'Weingut Tann', 'Quinta do Rio', 'Casa Oria'])
    const vintage = random.integer(2012, 2024)
    const price = random.integer(8, 60) + random.pick([0.5, 0.95])
    const casePrice = random.chance(0.6) ? Math.round(price * 5.7) : undefined
    const alcohol = random.integer(22, 30) / 2
    const region = random.pick(['Rhône', 'Mosel', 'Minho', 'Piedmont'])
    const others = otherGoods(random, 'en-GB', 3)
    const side = html`<h4>Cellar picks</h4>${others.map((other) => html`<p>${other.name} £${figure(other.price, 'en-GB', 2)}</p>`)}`
    const page = {
      skin: 'tailwind',
      language: 'en-GB',
      site: 'Vintner Row',
      title: `${wine} ${vintage} | Vintner Row`,
      nav: ['Red', 'White', 'Cases'],
      side,
    } as const
    return {
      path: `/wine/${slug(wine)}`,
      expected: present({ wine, producer, vintage, price, casePrice, alcoholPercent: alcohol, region }),
      data: ld(
        json`{"@context":"https://schema.org","@type":"Product","name":${wine},"wine":${wine},"producer":${producer},"vintage":${vintage},"price":${price},"casePrice":${casePrice},"alcoholPercent":${alcohol},"region":${region},"offers":{"@type":"Offer","price":${price},"priceCurrency":"GBP"}}`,
      ),
      look: (head) =>
        frame({
          ...page,
          head,
          body: html`<div class="x1"><div class="x2">${producer}</div><h1 class="x3">${wine}</h1><div class="x4"><span>${vintage}</span><span>${region}</span><span>${alcohol}%</span></div><div class="x5"><b>£${figure(price, 'en-GB', 2)}</b>${casePrice && html`<i>£${figure(casePrice, 'en-GB', 2)} for six</i>`}</div><p class="x6">Bright and long, with a note of £10 picnics.</p></div>`,
        }),
      newLook: (head) =>
        frame({
          ...page,
          skin: 'bootstrap',
          head,
          body: html`<section class="wine"><header><h2>${wine}</h2><small>${vintage} · ${producer}</small></header><ul class="facts"><li>${region}</li><li>${alcohol} % vol</li></ul><footer>${casePrice && html`<span class="six">six for £${figure(casePrice, 'en-GB', 2)}</span>`}<strong>${figure(price, 'en-GB', 2)} GBP</strong></footer></section>`,
        }),
    }
  },
}

const auctions: LearnedSite = {
  name: 'auction-lots',
  schema: object({
    lot: integer('lot number'),
    title: text(),
    artist: text(),
    estimateLow: integer('lower estimate in dollars'),
    estimateHigh: integer('upper estimate in dollars'),
    hammerPrice: integer('price realised, if sold'),
    saleDate: date(),
    saleCity: text(),
  }),
  page(random) {
    const lot = random.integer(1, 480)
    const title = random.pick([
      'Harbour at Dusk',
      'Seated Woman',
      'Still Life with Pears',
      'Composition in Grey',
      'Winter Fields',
    ])
    const artist = personName(random, 'en-GB')
    const low = random.integer(4, 90) * 500
    const high = low + random.integer(2, 40) * 500
    const hammer = random.chance(0.6) ? random.integer(4, 130) * 500 + 250 : undefined
    const on = addDays('2026-01-08', random.integer(0, 200))
    const town = city(random, 'en-GB')
    const page = {
      skin: 'tailwind',
      language: 'en-US',
      site: 'Gavel & Co',
      title: `Lot ${lot}: ${title} | Gavel & Co`,
      nav: ['Calendar', 'Results', 'Sell'],
    } as const
    const dollars = (value: number) => `$${figure(value, 'en-US')}`
    return {
      path: `/lot/${lot}`,
      expected: present({
        lot,
        title,
        artist,
        estimateLow: low,
        estimateHigh: high,
        hammerPrice: hammer,
        saleDate: on,
        saleCity: town,
      }),
      data: ld(
        json`{"@context":"https://schema.org","@type":"VisualArtwork","name":${title},"title":${title},"artist":${artist},"lot":${lot},"estimateLow":${low},"estimateHigh":${high},"hammerPrice":${hammer},"saleDate":${on},"saleCity":${town}}`,
      ),
      look: (head) =>
        frame({
          ...page,
          head,
          body: html`<div class="flex"><div class="w-16 text-5xl">${lot}</div><div><div class="text-sm">${artist}</div><h1 class="text-3xl italic">${title}</h1><div class="mt-4"><span>${dollars(low)}</span>–<span>${dollars(high)}</span></div>${hammer && html`<div class="mt-2 font-bold">${dollars(hammer)}</div>`}<div class="mt-8 text-xs">${day(on, 'en-US')}, ${town}</div></div></div>`,
        }),
      newLook: (head) =>
        frame({
          ...page,
          skin: 'bootstrap',
          head,
          body: html`<div class="card"><div class="card-header"><span>${town}</span><time>${dayInDigits(on, 'en-US')}</time></div><div class="card-body"><p class="badge">${lot}</p><h2>${artist}</h2><h3>${title}</h3>${hammer && html`<p class="sold">${dollars(hammer)}</p>`}<p class="est">${dollars(low)} / ${dollars(high)}</p></div></div>`,
        }),
    }
  },
}

const players: LearnedSite = {
  name: 'team-players',
  schema: object({
    name: text(),
    shirtNumber: integer(),
    position: text(),
    born: date('date of birth'),
    heightCm: integer(),
    goals: integer('goals this season'),
    formerClubs: list(text()),
  }),
  page(random) {
    const name = personName(random, 'es')
    const shirt = random.integer(1, 40)
    const position = random.pick(['Goalkeeper', 'Right back', 'Midfielder', 'Striker'])
    const born = addDays('1994-03-01', random.integer(0, 4000))
    const height = random.chance(0.8) ? random.integer(166, 199) : undefined
    const goals = random.integer(0, 24)
    const clubs = random.some(
      ['Atlético Norte', 'CD Ribera', 'Real Unión B', 'SD Faro'],
      random.integer(1, 3),
    )
    const page = {
      skin: 'wordpress',
      language: 'en-GB',
      site: 'CF Montaña',
      title: `${name} – CF Montaña`,
      nav: ['Team', 'Fixtures', 'Tickets'],
    } as const
    const mates = [1, 2, 3].map(() => `${random.integer(1, 40)} ${personName(random, 'es')}`)
    return {
      path: `/players/${slug(name)}`,
      expected: present({
        name,
        shirtNumber: shirt,
        position,
        born,
        heightCm: height,
        goals,
        formerClubs: clubs,
      }),
      data: ld(
        json`{"@context":"https://schema.org","@type":"Person","name":${name},"shirtNumber":${shirt},"position":${position},"born":${born},"heightCm":${height},"goals":${goals},"formerClubs":${clubs}}`,
      ),
      look: (head) =>
        frame({
          ...page,
          head,
          body: html`<div class="p-head"><span class="p-no">${shirt}</span><h1>${name}</h1></div><div class="p-row"><div>${position}</div><div>${dayInDigits(born, 'en-GB')}</div>${height && html`<div>${height} cm</div>`}</div><div class="p-stat"><b>${goals}</b><b>${random.integer(5, 38)}</b><b>${random.integer(0, 9)}</b></div><ul class="p-old">${clubs.map((club) => html`<li>${club}</li>`)}</ul><div class="p-mates">${mates.map((mate) => html`<span>${mate}</span>`)}</div>`,
        }),
      newLook: (head) =>
        frame({
          ...page,
          skin: 'tailwind',
          head,
          body: html`<div class="grid"><h1 class="a">${name}</h1><p class="b">#${shirt} ${position}</p><p class="c">${clubs.join(' / ')}</p><dl><dd class="d">${day(born, 'en-GB')}</dd>${height && html`<dd class="e">${height}</dd>`}<dd class="f">${goals}</dd></dl></div><div class="g">${mates.map((mate) => html`<p class="b">#${mate}</p>`)}</div>`,
        }),
    }
  },
}

/** Values without labels, some of them absent: places are all that there is to learn. */
export const sites: LearnedSite[] = [wineShop, auctions, players]
