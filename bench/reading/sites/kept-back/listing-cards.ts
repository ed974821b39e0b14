import { frame } from '../frame.ts'
import { otherGoods } from '../goods.ts'
import { html, json } from '../html.ts'
import { day, figure } from '../locale.ts'
import { otherJobs } from '../posts.ts'
import { times } from '../random.ts'
import { integer, list, number, object, text, url, yes } from '../schema.ts'
import { maybe, present, type Template } from '../template.ts'
import { slug } from '../words.ts'

const jobResults: Template = {
  name: 'job-results-de',
  vertical: 'listings',
  carrier: 'Open Graph',
  schema: object({
    suchbegriff: text(),
    treffer: integer('Anzahl der gefundenen Stellen'),
    stellen: list(
      object({
        titel: text(),
        firma: text(),
        ort: text(),
        gehaltAb: integer('Untergrenze des Jahresgehalts in Euro'),
        link: url(),
        neu: yes('als neu gekennzeichnet'),
      }),
    ),
  }),
  page(random, structured) {
    const rows = otherJobs(random, 'de', random.integer(8, 12)).map((it, place) => ({
      ...it,
      link: `/job/${slug(it.title)}-${place}`,
      isPaid: random.chance(0.6),
      isNew: random.chance(0.3),
    }))
    const total = random.integer(100, 4800)
    const query = random.pick(['Einkauf', 'Java', 'Pflege'])
    const body = html`<h1 class="sc-h1">${figure(total, 'de')} Treffer für ${query} Jobs</h1><div data-at="resultlist">${rows.map((row) => html`<article class="res-1p8f" data-at="job-item"><div class="res-0">${row.isNew && html`<span class="res-bdg">NEU</span>`}<a href="${row.link}" class="res-ttl"><div>${row.title}</div></a><span class="res-cmp" data-at="job-item-company-name">${row.employer}</span><span class="res-loc" data-at="job-item-location">${row.place}</span>${row.isPaid && html`<span class="res-sal">${figure(row.low, 'de')} – ${figure(row.high, 'de')} €/Jahr</span>`}<div class="res-snp">${row.about}</div><time>vor ${random.integer(1, 20)} Tagen</time></div></article>`)}</div>`
    return {
      path: `/jobs/${slug(query)}`,
      html: frame({
        skin: 'react',
        language: 'de',
        site: 'Stellenblick',
        title: `${query} Jobs | Stellenblick`,
        body,
        nav: ['Jobs finden', 'Gehalt', 'Anmelden'],
        side: html`<h3>Filter</h3><p>Vollzeit (${random.integer(50, 900)})</p><p>Gehalt ab 40.000 €</p>`,
        head: structured.meta(['og:title', `${query} Jobs`]),
      }),
      expected: {
        suchbegriff: query,
        treffer: total,
        stellen: rows.map((row) =>
          present({
            titel: row.title,
            firma: row.employer,
            ort: row.place,
            gehaltAb: row.isPaid ? row.low : undefined,
            link: row.link,
            neu: row.isNew || maybe(false),
          }),
        ),
      },
    }
  },
}

const carCards: Template = {
  name: 'car-cards-react',
  vertical: 'listings',
  carrier: 'JSON-LD',
  schema: object({
    listings: list(
      object({
        title: text(),
        price_usd: integer(),
        mileage: integer('miles on the odometer'),
        location: text(),
        deal_rating: text('e.g. Great Deal'),
        url: url(),
      }),
    ),
  }),
  page(random, structured) {
    const rows = times(random.integer(8, 12), (place) => ({
      title: `${random.integer(2014, 2025)} ${random.pick(['Honda Civic LX', 'Toyota RAV4 XLE', 'Ford F-150 XLT', 'Subaru Outback'])}`,
      price: random.chance(0.9) ? random.integer(70, 480) * 100 - 5 : undefined,
      miles: random.integer(2, 140) * 1000 + random.integer(0, 999),
      place: random.pick(['Boise, ID', 'Reno, NV', 'Salem, OR']),
      deal: random.chance(0.6) ? random.pick(['Great Deal', 'Good Deal', 'Fair Deal']) : undefined,
      url: `/vehicledetail/${place}-${random.integer(1000, 9999)}/`,
    }))
    const ld = json`{"@context":"https://schema.org","@type":"ItemList","itemListElement":${rows.map((row, place) => json`{"@type":"ListItem","position":${place + 1},"item":{"@type":"Car","name":${row.title},"offers":{"@type":"Offer","price":${row.price},"priceCurrency":"USD"}}}`)}}`
    const body = html`<h1 class="css-h">Used cars for sale</h1><p data-testid="count">${figure(random.integer(300, 9000), 'en-US')} matches</p>${rows.map((row, place) => html`${place === 2 && html`<div class="css-ad" data-testid="sponsored"><span>Sponsored</span><a href="#">Get $500 off an extended warranty</a></div>`}<div class="css-vc" data-testid="vehicle-card"><a class="css-lk" href="${row.url}"><h2 class="css-t">${row.title}</h2></a><div class="css-ml">${figure(row.miles, 'en-US')} mi.</div><div class="css-pr"><span class="css-pp">${row.price ? `$${figure(row.price, 'en-US')}` : 'Call for price'}</span>${row.price && html`<span class="css-mo">est. $${Math.round(row.price / 62)}/mo*</span>`}</div>${row.deal && html`<span class="css-dl">${row.deal}</span>`}<div class="css-dn">Valley Auto Group</div><div class="css-rt">4.${random.integer(1, 9)} (${random.integer(20, 900)} reviews)</div><div class="css-lc">${row.place} (${random.integer(2, 90)} mi. away)</div></div>`)}`
    return {
      path: '/shopping/results/',
      html: frame({
        skin: 'react',
        language: 'en-US',
        site: 'Lotfinder',
        title: 'Used cars for sale | Lotfinder',
        body,
        nav: ['Cars for Sale', 'Sell', 'Research'],
        head: structured.jsonLd(ld),
      }),
      expected: {
        listings: rows.map((row) =>
          present({
            title: row.title,
            price_usd: row.price,
            mileage: row.miles,
            location: row.place,
            deal_rating: row.deal,
            url: row.url,
          }),
        ),
      },
    }
  },
}

const ranking: Template = {
  name: 'ranking-ja',
  vertical: 'listings',
  carrier: 'JSON-LD',
  schema: object({
    rankingTitle: text(),
    items: list(
      object({
        rank: integer(),
        name: text('商品名'),
        price: integer('税込価格(円)'),
        reviewAverage: number(),
      }),
    ),
  }),
  page(random, structured) {
    const title = random.pick(['キッチン用品ランキング', '雑貨 週間ランキング'])
    const goods = otherGoods(random, 'ja', random.integer(6, 10))
    const ld = json`{"@context":"https://schema.org","@type":"ItemList","name":${title},"itemListElement":${goods.map((it, place) => json`{"@type":"ListItem","position":${place + 1},"name":${it.name}}`)}}`
    const body = html`<h1>${title}</h1><p>集計期間:${day('2026-03-02', 'ja')}〜${day('2026-03-08', 'ja')}</p><ol class="rnk">${goods.map((it, place) => html`<li class="rnk__item"><span class="rnk__no">${place + 1}位</span><p class="rnk__name"><a href="/item/${place}/">${it.name}</a></p><p class="rnk__maker">${it.brand}</p><p class="rnk__price">${it.price.toLocaleString('ja-JP')}円<span>(税込)</span></p>${it.rating && html`<p class="rnk__rev">★${it.rating.toFixed(1)}(${it.reviews}件)</p>`}</li>`)}</ol>`
    return {
      path: '/ranking/weekly/',
      html: frame({
        skin: 'bootstrap',
        language: 'ja',
        site: 'まるきモール',
        title: `${title}|まるきモール`,
        body,
        nav: ['トップ', 'ランキング', 'クーポン'],
        head: structured.jsonLd(ld),
      }),
      expected: {
        rankingTitle: title,
        items: goods.map((it, place) =>
          present({ rank: place + 1, name: it.name, price: it.price, reviewAverage: it.rating }),
        ),
      },
    }
  },
}

export const cards = [jobResults, carCards, ranking]
