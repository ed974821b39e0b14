import { frame } from '../frame.ts'
import { otherGoods } from '../goods.ts'
import { html, json } from '../html.ts'
import { day, figure, money } from '../locale.ts'
import { times } from '../random.ts'
import { date, integer, list, number, object, text, url, yes } from '../schema.ts'
import { otherHeadlines } from '../stories.ts'
import { either, maybe, present, type Template } from '../template.ts'
import { city, slug } from '../words.ts'

const archive: Template = {
  name: 'woocommerce-archive',
  vertical: 'listings',
  carrier: 'JSON-LD',
  schema: object({
    category: text('Name of the category'),
    totalProducts: integer('How many products the category has'),
    products: list(
      object({
        name: text(),
        price: number('current price'),
        oldPrice: number('price before the reduction'),
        url: url(),
        image: url(),
        rating: number(),
      }),
    ),
  }),
  page(random, structured) {
    const goods = otherGoods(random, 'en-GB', random.integer(9, 16))
    const category = random.pick(['Kitchen', 'Outdoor', 'Gifts'])
    const total = goods.length + random.integer(10, 200)
    const address = (name: string, place: number) =>
      `https://www.fellgoods.example/product/${slug(name)}-${place}/`
    const picture = (name: string, place: number) =>
      `https://www.fellgoods.example/wp-content/uploads/${slug(name)}-${place}-300x300.jpg`
    const ld = json`{"@context":"https://schema.org","@type":"ItemList","itemListElement":${goods.map((it, place) => json`{"@type":"ListItem","position":${place + 1},"url":${address(it.name, place)},"name":${it.name}}`)}}`
    const price = (value: number) =>
      html`<span class="woocommerce-Price-amount amount"><bdi>£${figure(value, 'en-GB', 2)}</bdi></span>`
    const body = html`<header class="woocommerce-products-header"><h1 class="woocommerce-products-header__title page-title">${category}</h1></header><p class="woocommerce-result-count">Showing 1–${goods.length} of ${total} results</p><form class="woocommerce-ordering"><select name="orderby"><option>Default sorting</option><option>Sort by price: low to high</option></select></form>
<ul class="products columns-4">${goods.map((it, place) => html`<li class="product type-product${it.was ? ' sale' : ''}"><a href="${address(it.name, place)}" class="woocommerce-LoopProduct-link">${it.was && html`<span class="onsale">Sale!</span>`}<img src="${picture(it.name, place)}" alt=""><h2 class="woocommerce-loop-product__title">${it.name}</h2>${it.rating && html`<div class="star-rating" role="img" aria-label="Rated ${it.rating.toFixed(2)} out of 5"><span>Rated <strong class="rating">${it.rating.toFixed(2)}</strong> out of 5</span></div>`}<span class="price">${it.was ? html`<del>${price(it.was)}</del> <ins>${price(it.price)}</ins>` : price(it.price)}</span></a><a href="?add-to-cart=${place}" class="button add_to_cart_button">${it.inStock ? 'Add to basket' : 'Read more'}</a></li>`)}</ul><nav class="woocommerce-pagination"><span class="page-numbers current">1</span> <a href="page/2/">2</a></nav>`
    const side = html`<section class="widget woocommerce widget_products"><h2 class="widget-title">Top rated</h2><ul class="product_list_widget">${otherGoods(random, 'en-GB', 3).map((it) => html`<li><a href="#">${it.name}</a> ${price(it.price)}</li>`)}</ul></section>`
    return {
      path: `/product-category/${slug(category)}/`,
      html: frame({
        skin: 'wordpress',
        language: 'en-GB',
        site: 'Fell Goods',
        title: `${category} Archives – Fell Goods`,
        body,
        side,
        nav: ['Shop', 'Journal', 'Basket £0.00'],
        head: structured.jsonLd(ld),
      }),
      expected: {
        category,
        totalProducts: total,
        products: goods.map((it, place) =>
          present({
            name: it.name,
            price: it.price,
            oldPrice: it.was,
            url: address(it.name, place),
            image: picture(it.name, place),
            rating: it.rating,
          }),
        ),
      },
    }
  },
}

const results: Template = {
  name: 'site-search-results',
  vertical: 'listings',
  carrier: 'Open Graph',
  schema: object({
    query: text('what was searched for'),
    results: list(
      object({ title: text(), link: url(), snippet: text(), published: date() }),
      'search results in order',
    ),
  }),
  page(random, structured) {
    const query = random.pick(['council', 'ferry', 'flour mill'])
    const rows = otherHeadlines(random, 'en-GB', random.integer(7, 10)).map((it, place) => ({
      ...it,
      link: `/stories/${slug(it.headline)}-${place}`,
      hasDate: random.chance(0.7),
    }))
    const body = html`<h1>Search results for “${query}”</h1><p class="text-muted">About ${random.integer(40, 900)} results (0.${random.integer(11, 99)} seconds)</p><div class="search-results">${rows.map((row) => html`<div class="result mb-4"><div class="result-url small text-success">www.valleyherald.example › stories</div><h3 class="h5 mb-1"><a href="${row.link}">${row.headline}</a></h3><p class="mb-0">${row.hasDate && html`<span class="text-muted">${day(row.published, 'en-GB', { day: 'numeric', month: 'short', year: 'numeric' })} — </span>`}${row.lead}</p></div>`)}</div><ul class="pagination"><li class="page-item active"><a class="page-link" href="#">1</a></li><li class="page-item"><a class="page-link" href="?p=2">2</a></li></ul>`
    return {
      path: `/search?q=${encodeURIComponent(query)}`,
      html: frame({
        skin: 'bootstrap',
        language: 'en-GB',
        site: 'Valley Herald',
        title: `${query} - Search - Valley Herald`,
        body,
        nav: ['News', 'Sport', 'Business'],
        side: html`<h4>Refine</h4><ul><li>Past week (12)</li><li>Past year (140)</li></ul>`,
        head: structured.meta(['og:title', `Search results for ${query}`]),
      }),
      expected: {
        query,
        results: rows.map((row) =>
          present({
            title: row.headline,
            link: row.link,
            snippet: row.lead,
            published: row.hasDate ? row.published : undefined,
          }),
        ),
      },
    }
  },
}

const hotels: Template = {
  name: 'hotel-cards-fr',
  vertical: 'listings',
  carrier: 'state',
  schema: object({
    destination: text(),
    hotels: list(
      object({
        nom: text(),
        note: number('note sur 10'),
        nombreAvis: integer('nombre d’avis'),
        prixNuit: number('prix par nuit en euros'),
        quartier: text(),
        petitDejeunerInclus: yes(),
      }),
    ),
  }),
  page(random, structured) {
    const town = city(random, 'fr')
    const rows = times(random.integer(6, 10), () => ({
      nom: `${random.pick(['Hôtel', 'Auberge', 'Résidence'])} ${random.pick(['du Port', 'Bellevue', 'des Arts', 'Saint-Michel', 'de la Gare', 'Les Glycines'])}`,
      note: random.integer(62, 97) / 10,
      avis: random.integer(20, 4200),
      prix: random.integer(48, 260),
      quartier: random.pick(['Centre historique', 'Gare', 'Bord de mer']),
      dej: random.chance(0.5),
    }))
    const state = json`{"results":${rows.map((row) => json`{"name":${row.nom},"score":${row.note},"reviews":${row.avis},"nightlyPrice":${row.prix},"area":${row.quartier},"breakfast":${row.dej}}`)}}`
    const body = html`<h1 class="text-2xl font-bold">${town} : ${rows.length + random.integer(20, 300)} établissements trouvés</h1><div class="space-y-4 mt-6">${rows.map((row) => html`<div class="flex rounded-xl border shadow-sm overflow-hidden"><div class="w-56 bg-slate-200"></div><div class="flex-1 p-4"><div class="flex justify-between"><a href="/hotel/${slug(row.nom)}" class="text-lg font-semibold text-blue-700">${row.nom}</a><div class="flex items-center gap-2"><div class="text-right"><div class="text-sm">${row.note >= 8 ? 'Très bien' : 'Bien'}</div><div class="text-xs text-slate-500">${figure(row.avis, 'fr')} avis</div></div><div class="rounded bg-blue-800 text-white px-2">${figure(row.note, 'fr', 1)}</div></div></div><div class="text-sm text-slate-500">${row.quartier}, ${town} · à ${random.integer(2, 40) * 100} m du centre</div>${row.dej && html`<div class="text-green-700 text-sm">Petit-déjeuner compris</div>`}<div class="mt-4 text-right"><div class="text-xs text-slate-500">1 nuit, 2 adultes</div><div class="text-xl">${money(row.prix, 'EUR', 'fr').replace(',00', '')}</div><div class="text-xs">taxes et frais compris (+ 3 € de taxe de séjour)</div></div></div></div>`)}</div>`
    return {
      path: `/recherche/${slug(town)}`,
      html: frame({
        skin: 'tailwind',
        language: 'fr',
        site: 'Nuitées',
        title: `Hôtels à ${town} | Nuitées`,
        body,
        nav: ['Hôtels', 'Vols', 'Offres dès 39 €'],
        end: structured.state('search-state', state),
      }),
      expected: {
        destination: town,
        hotels: rows.map((row) => ({
          nom: row.nom,
          note: row.note,
          nombreAvis: row.avis,
          prixNuit: row.prix,
          quartier: either(row.quartier, `${row.quartier}, ${town}`),
          petitDejeunerInclus: row.dej || maybe(false),
        })),
      },
    }
  },
}

export const cards = [archive, results, hotels]
