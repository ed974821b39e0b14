import { frame } from '../frame.ts'
import { availability, good, otherGoods } from '../goods.ts'
import { html, json } from '../html.ts'
import { figure, money } from '../locale.ts'
import { integer, list, number, object, oneOf, text, url, yes } from '../schema.ts'
import { either, maybe, present, type Template } from '../template.ts'
import { slug } from '../words.ts'

const magento: Template = {
  name: 'magento-luma-es',
  vertical: 'products',
  carrier: 'microdata',
  schema: object({
    name: text('product name'),
    sku: text('SKU or reference'),
    price: number('final price'),
    old_price: number('price before reduction'),
    price_is_from: yes('true if the page gives the price only as a "from" price'),
    stock_status: oneOf(['IN_STOCK', 'OUT_OF_STOCK']),
    manufacturer: text(),
    capacity_litres: number('capacity in litres'),
    warranty_years: integer('years of warranty'),
    rating_percent: integer('customer rating in percent'),
  }),
  page(random, structured) {
    const it = good(random, 'es')
    const isFrom = random.chance(0.3)
    const capacity = random.chance(0.6) ? random.integer(3, 60) / 2 : undefined
    const years = random.chance(0.5) ? random.integer(1, 5) : undefined
    const percent = it.rating && Math.round(it.rating * 20)
    const price = (value: number, kind: string) =>
      html`<span class="price-container price-${kind} tax weee"><span class="price-wrapper" data-price-amount="${value}" data-price-type="${kind}"><span class="price">${figure(value, 'es', 2)} €</span></span></span>`
    const attribute = (label: string, value: string) =>
      html`<tr><th class="col label" scope="row">${label}</th><td class="col data" data-th="${label}">${value}</td></tr>`
    const body = html`<div class="columns"><div class="column main"><div class="page-title-wrapper product"><h1 class="page-title"><span class="base" data-ui-id="page-title-wrapper"${structured.attributes('itemprop="name"')}>${it.name}</span></h1></div>
<div class="product-info-main"><div class="product-reviews-summary">${percent !== undefined && html`<div class="rating-summary"><span class="label"><span>Valoración:</span></span><div class="rating-result" title="${percent}%"><span style="width:${percent}%"><span>${percent}%</span></span></div></div><a class="action view" href="#reviews">${it.reviews} Opiniones</a>`}</div>
<div class="product-info-price"><div class="price-box price-final_price"${structured.attributes('itemprop="offers" itemscope itemtype="http://schema.org/Offer"')}>${structured.block(html`<meta itemprop="price" content="${it.price}"><meta itemprop="priceCurrency" content="EUR">`)}
${it.was && !isFrom ? html`<span class="special-price"><span class="price-label">Precio especial</span>${price(it.price, 'finalPrice')}</span><span class="old-price"><span class="price-label">Precio habitual</span>${price(it.was, 'oldPrice')}</span>` : html`${isFrom && html`<span class="price-label">Desde</span> `}${price(it.price, 'finalPrice')}`}</div>
<div class="product-info-stock-sku"><div class="stock ${it.inStock ? 'available' : 'unavailable'}" title="Disponibilidad"><span>${it.inStock ? 'En stock' : 'Agotado'}</span></div><div class="product attribute sku"><strong class="type">SKU</strong><div class="value"${structured.attributes('itemprop="sku"')}>${it.sku}</div></div></div></div>
<button type="submit" title="Añadir al carrito" class="action primary tocart"><span>Añadir al carrito</span></button></div>
<div class="product data items"><div class="data item title"><a class="data switch">Detalles</a></div><div class="product attribute description"><div class="value"><p>${it.about}</p></div></div>
<div class="additional-attributes-wrapper table-wrapper"><table class="data table additional-attributes"><caption class="table-caption">Más información</caption><tbody>${attribute('Fabricante', it.brand)}${capacity && attribute('Capacidad', `${figure(capacity, 'es', 1)} litros`)}${years && attribute('Garantía', years === 1 ? '1 año' : `${years} años`)}${attribute('País de fabricación', 'Portugal')}</tbody></table></div></div>
<div class="block related"><div class="block-title title"><strong>Productos relacionados</strong></div><ol class="products list items product-items">${otherGoods(random, 'es', 4).map((other) => html`<li class="item product product-item"><strong class="product name product-item-name"><a href="/${slug(other.name)}.html">${other.name}</a></strong><div class="price-box">${price(other.price, 'finalPrice')}</div></li>`)}</ol></div></div></div>`
    return {
      path: `/${slug(it.name)}.html`,
      html: frame({
        ...{ skin: 'bootstrap', language: 'es', site: 'Casa Luján', title: `${it.name} | Casa Luján`, body },
        nav: ['Cocina', 'Montaña', 'Ofertas', 'Tiendas'],
        attributes: structured.attributes('itemscope itemtype="http://schema.org/Product"'),
        description: `Compra ${it.name} al mejor precio. Envío gratis a partir de 49 €.`,
      }),
      expected: present({
        ...{ name: it.name, sku: it.sku, price: it.price, old_price: isFrom ? undefined : it.was },
        ...{ price_is_from: isFrom || maybe(false), stock_status: it.inStock ? 'IN_STOCK' : 'OUT_OF_STOCK' },
        ...{
          manufacturer: it.brand,
          capacity_litres: capacity,
          warranty_years: years,
          rating_percent: percent,
        },
      }),
    }
  },
}

const rdfaShop: Template = {
  name: 'shop-rdfa-de',
  vertical: 'products',
  carrier: 'RDFa',
  schema: object({
    bezeichnung: text('Artikelbezeichnung'),
    hersteller: text(),
    artikelnummer: text(),
    preis: number('Bruttopreis in Euro'),
    grundpreis: text('Grundpreis mit Einheit, z. B. "12,50 € / kg"'),
    lieferbar: yes('ist der Artikel lieferbar?'),
    lieferzeit_tage: text('Lieferzeit in Tagen als Spanne'),
    versandkosten: number('Versandkosten in Euro'),
    merkmale: list(text(), 'Aufzählung der Produktmerkmale'),
  }),
  page(random, structured) {
    const it = good(random, 'de')
    const unit = random.chance(0.5)
      ? `${figure(it.price / random.pick([0.5, 0.75, 2]), 'de', 2)} € / kg`
      : undefined
    const days = random.pick(['1–3', '2–4', '5–7'])
    const postage = random.chance(0.6) ? random.pick([3.9, 5.95]) : undefined
    const body = html`<div class="product--detail-upper"${structured.attributes('vocab="http://schema.org/" typeof="Product"')}><header class="product--header"><h1 class="product--title"${structured.attributes('property="name"')}>${it.name}</h1><div class="product--supplier">von <a href="/${slug(it.brand)}/"${structured.attributes('property="brand"')}>${it.brand}</a></div></header>
<div class="product--buybox"${structured.attributes('property="offers" typeof="Offer"')}>${structured.block(html`<meta property="priceCurrency" content="EUR"><link property="availability" href="${availability(it.inStock)}">`)}
<div class="product--price price--default${it.was ? ' price--discount' : ''}"><span class="price--content content--default">${structured.block(html`<meta property="price" content="${it.price}">`)}${figure(it.price, 'de', 2)}&nbsp;&euro; *</span>${it.was && html`<span class="content--discount"><span class="price--line-through">${figure(it.was, 'de', 2)}&nbsp;&euro; *</span><span class="price--discount-percentage">(${Math.round((1 - it.price / it.was) * 100)}% gespart)</span></span>`}</div>
${unit && html`<div class="product--price price--unit"><span class="price--label label--purchase-unit">Grundpreis:</span> ${unit}</div>`}
<p class="product--tax">* inkl. MwSt. ${postage ? html`zzgl. ${figure(postage, 'de', 2)} € <a href="/versand">Versandkosten</a>` : html`<a href="/versand">versandkostenfrei</a>`}</p>
<p class="delivery--information"><span class="delivery--text">${it.inStock ? html`<i class="delivery--status-icon"></i> Sofort versandfertig, Lieferzeit ${days} Werktage` : 'Zurzeit vergriffen, Liefertermin unbekannt'}</span></p></div>
<ul class="product--base-info list--unstyled"><li class="base-info--entry entry--sku"><strong class="entry--label">Artikel-Nr.:</strong> <span class="entry--content"${structured.attributes('property="sku"')}>${it.sku}</span></li></ul>
<div class="content--description"><div class="content--title">Produktinformationen „${it.name}“</div><p>${it.about}</p><ul>${it.features.map((feature) => html`<li>${feature}</li>`)}</ul></div></div>
<div class="product-slider"><h3>Ähnliche Artikel</h3>${otherGoods(random, 'de', 4).map((other) => html`<div class="product--box"><a class="product--title" href="/${slug(other.name)}">${other.name}</a><div class="product--price">${figure(other.price, 'de', 2)}&nbsp;&euro; *</div></div>`)}</div>`
    return {
      path: `/${slug(it.brand)}/${slug(it.name)}/${it.sku}`,
      html: frame({
        skin: 'bootstrap',
        language: 'de',
        site: 'Tannwald Versand',
        title: `${it.name} | ${it.brand} | Tannwald Versand`,
        body,
        nav: ['Werkstatt', 'Haushalt', 'Sale', 'Warenkorb 0,00 €'],
      }),
      expected: present({
        ...{
          bezeichnung: it.name,
          hersteller: it.brand,
          artikelnummer: it.sku,
          preis: it.price,
          grundpreis: unit,
        },
        ...{ lieferbar: it.inStock, lieferzeit_tage: it.inStock ? days : undefined },
        ...{ versandkosten: postage ?? maybe(0), merkmale: it.features },
      }),
    }
  },
}

const mall: Template = {
  name: 'mall-ja',
  vertical: 'products',
  carrier: 'JSON-LD',
  schema: object({
    productTitle: text('商品名'),
    priceYen: integer('tax-included price in yen'),
    shopName: text('name of the shop that sells it'),
    reviewAverage: number(),
    reviewCount: integer(),
    shippingIncluded: yes('送料無料かどうか'),
    points: integer('loyalty points earned'),
    itemNumber: text('商品番号'),
    imageUrl: url(),
  }),
  page(random, structured) {
    const it = good(random, 'ja')
    const isFree = random.chance(0.5)
    const points = Math.round(it.price / 100)
    const title = `【${random.pick(['限定', '公式', '即納'])}】${it.brand} ${it.name}`
    const image = `https://img.mall.example/shop/${it.sku.toLowerCase()}_1.jpg`
    const rated = json`{"@type":"AggregateRating","ratingValue":${it.rating},"reviewCount":${it.reviews}}`
    const ld = json`{"@context":"https://schema.org","@type":"Product","name":${title},"image":${image},"sku":${it.sku},"offers":{"@type":"Offer","price":${it.price},"priceCurrency":"JPY","availability":${availability(it.inStock)},"seller":{"@type":"Organization","name":"暮らしの道具店 まるき"}},"aggregateRating":${it.rating ? rated : undefined}}`
    const body = html`<table border="0" cellspacing="2" width="100%"><tr><td><span class="item_name"><b>${title}</b></span></td></tr><tr><td><span class="sale_desc">${it.about}</span></td></tr></table>
<div id="rakutenLimitedId_ImageMain1-3"><img src="${image}" alt="${title}" width="400"></div>
<table class="item_table"><tr><th>商品番号</th><td class="item_number">${it.sku}</td></tr><tr><th>価格</th><td><span class="price2">${it.price.toLocaleString('ja-JP')}円</span> <span class="tax">(税込)</span> <span class="shipping">${isFree ? '送料無料' : '送料別'}</span>${it.was && html`<br><span class="double">当店通常価格 <s>${Math.round(it.was).toLocaleString('ja-JP')}円</s></span>`}</td></tr>
<tr><th>ポイント</th><td>${points}ポイント</td></tr><tr><th>在庫</th><td>${it.inStock ? '○ 在庫あり' : '× 売り切れ'}</td></tr></table>
${it.rating !== undefined && html`<div class="review"><a href="/review/">レビュー</a> <b>${it.rating.toFixed(1)}</b>(${it.reviews}件)</div>`}
<p>販売店:<a href="/shop/maruki/">暮らしの道具店 まるき</a></p>
<h3>この商品を見た人はこんな商品も見ています</h3><ul class="recommend">${otherGoods(random, 'ja', 4).map((other) => html`<li><a href="/item/${other.sku}/">${other.brand} ${other.name}</a><br><span>${other.price.toLocaleString('ja-JP')}円</span></li>`)}</ul>`
    return {
      path: `/maruki/${it.sku.toLowerCase()}/`,
      html: frame({
        skin: 'tables',
        language: 'ja',
        site: 'まるきモール',
        title: `${title}:暮らしの道具店 まるき`,
        body,
        nav: ['ランキング', '買い物かご', 'ヘルプ'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          productTitle: title,
          priceYen: it.price,
          shopName: '暮らしの道具店 まるき',
          reviewAverage: it.rating,
          reviewCount: it.reviews,
        },
        ...{ shippingIncluded: isFree, points, itemNumber: it.sku, imageUrl: image },
      }),
    }
  },
}

const catalogue: Template = {
  name: 'b2b-data-sheet',
  vertical: 'products',
  carrier: 'JSON-LD',
  schema: object({
    partNumber: text('Manufacturer part number'),
    title: text(),
    manufacturer: text(),
    unitPrice: number('Price for the smallest quantity, USD'),
    priceBreaks: list(object({ quantity: integer(), price: number('USD each') }), 'Quantity discounts'),
    quantityAvailable: integer('Pieces in stock'),
    leadTimeWeeks: integer(),
    datasheet: url('Link to the PDF'),
    operatingTemperature: text(),
    rohsCompliant: yes(),
  }),
  page(random, structured) {
    const maker = random.pick(['Voltaic Devices', 'Meridian Semi', 'Okura Components'])
    const part = `${random.pick(['VD', 'MS', 'OK'])}${random.integer(100, 999)}${random.pick(['-SOT23', 'ADR', '-TR', 'CP'])}`
    const kind = random.pick(['LDO Voltage Regulator 3.3 V', 'N-Channel MOSFET 60 V', 'Hall Effect Sensor'])
    const unit = random.integer(40, 900) / 100
    const breaks = [1, 10, 100, 1000].map((quantity, place) => ({
      quantity,
      price: Math.round(unit * (1 - place * 0.12) * 1000) / 1000,
    }))
    const stock = random.integer(0, 1) * random.integer(200, 48_000)
    const weeks = random.chance(0.6) ? random.integer(4, 26) : undefined
    const range = random.pick(['-40°C ~ 125°C', '-55°C ~ 150°C', '0°C ~ 70°C'])
    const rohs = random.chance(0.7) ? random.chance(0.8) : undefined
    const ld = json`{"@context":"https://schema.org","@type":"Product","mpn":${part},"name":${`${part} ${kind}`},"manufacturer":{"@type":"Organization","name":${maker}},"offers":{"@type":"AggregateOffer","lowPrice":${breaks[3]?.price},"highPrice":${unit},"priceCurrency":"USD","offerCount":4}}`
    const term = (label: string, value: string) => html`<dt>${label}</dt><dd>${value}</dd>`
    const body = html`<h1>${part}</h1><p class="subtitle">${kind}</p>
<dl class="overview">${term('Manufacturer', maker)}${term('Manufacturer Part #', part)}${weeks && term('Factory Lead Time', `${weeks} Weeks`)}<dt>Datasheet</dt><dd><a href="/datasheets/${part.toLowerCase()}.pdf">Datasheet (PDF)</a></dd></dl>
<div class="card"><div class="card-body"><p><strong>${stock > 0 ? `${figure(stock, 'en-US')} In Stock` : '0 In Stock – backorder possible'}</strong></p><table class="table table-sm"><thead><tr><th>Qty</th><th>Unit Price</th><th>Ext. Price</th></tr></thead><tbody>${breaks.map(({ quantity, price }) => html`<tr><td>${figure(quantity, 'en-US')}</td><td>$${price.toFixed(3)}</td><td>${money(quantity * price, 'USD', 'en-US')}</td></tr>`)}</tbody></table></div></div>
<h2>Product Attributes</h2><dl class="row">${term('Operating Temperature', range)}${term('Mounting Type', 'Surface Mount')}${rohs !== undefined && term('RoHS Status', rohs ? 'RoHS3 Compliant' : 'Non-compliant')}${term('Package / Case', 'TO-236-3')}</dl>
<h2>Similar parts</h2><table class="table"><tr><th>Part</th><th>Manufacturer</th><th>Stock</th><th>From</th></tr>${[1, 2, 3].map(() => html`<tr><td><a href="#">XQ${random.integer(100, 999)}</a></td><td>${random.pick(['Voltaic Devices', 'Okura Components'])}</td><td>${figure(random.integer(10, 9000), 'en-US')}</td><td>$${(random.integer(20, 400) / 100).toFixed(2)}</td></tr>`)}</table>`
    return {
      path: `/en/products/detail/${part.toLowerCase()}`,
      html: frame({
        skin: 'bootstrap',
        language: 'en-US',
        site: 'PartsBin',
        title: `${part} ${maker} | PartsBin`,
        body,
        nav: ['Products', 'Manufacturers', 'BOM Tool', 'Cart (0) $0.00'],
        head: structured.jsonLd(ld),
      }),
      expected: present({
        ...{
          partNumber: part,
          title: either(kind, part, `${part} ${kind}`),
          manufacturer: maker,
          unitPrice: breaks[0]?.price,
          priceBreaks: breaks,
        },
        ...{
          quantityAvailable: stock,
          leadTimeWeeks: weeks,
          datasheet: `/datasheets/${part.toLowerCase()}.pdf`,
        },
        ...{ operatingTemperature: range, rohsCompliant: rohs },
      }),
    }
  },
}

export const products = [magento, rdfaShop, mall, catalogue]
