import { frame } from '../frame.ts'
import { availability, good, otherGoods } from '../goods.ts'
import { html, json, raw } from '../html.ts'
import { figure, money } from '../locale.ts'
import { integer, list, number, object, oneOf, text, url, yes } from '../schema.ts'
import { present, type Template } from '../template.ts'
import { slug } from '../words.ts'

const wooCommerce: Template = {
  name: 'woocommerce',
  vertical: 'products',
  carrier: 'JSON-LD graph',
  schema: object(
    {
      productName: text('Name of the product'),
      price: number('Current price, without currency'),
      regularPrice: number('Price before the discount, if the product is on sale'),
      currency: text('ISO 4217 code of the currency'),
      sku: text(),
      categories: list(text(), 'Shop categories the product is filed under'),
      shortDescription: text(),
      averageRating: number('Average customer rating out of 5'),
      weightKg: number('Weight in kilograms'),
      inStock: yes('Whether it can be bought now'),
    },
    'productName',
    'price',
  ),
  page(random, structured) {
    const it = good(random, 'en-GB')
    const price = (value: number) =>
      html`<span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">£</span>${figure(value, 'en-GB', 2)}</bdi></span>`
    const prices = (one: { price: number; was: number | undefined }) =>
      one.was
        ? html`<del aria-hidden="true">${price(one.was)}</del> <ins aria-hidden="true">${price(one.price)}</ins>`
        : price(one.price)
    const categories = random.some(['Kitchen', 'Outdoor', 'Gifts', 'Workshop'], random.integer(1, 2))
    const weight = random.chance(0.6) ? random.integer(2, 60) / 10 : undefined
    const address = `https://www.fellgoods.example/product/${slug(it.name)}/`
    const rated =
      it.rating &&
      json`,"aggregateRating":{"@type":"AggregateRating","ratingValue":${it.rating.toFixed(2)},"reviewCount":${it.reviews}}`
    const graph = json`{"@context":"https://schema.org/","@graph":[
{"@type":"BreadcrumbList","itemListElement":[{"@type":"ListItem","position":1,"item":{"name":"Home","@id":"https://www.fellgoods.example/"}}]},
{"@type":"Product","@id":${`${address}#product`},"name":${it.name},"url":${address},"sku":${it.sku},"description":${it.about},"image":${`https://www.fellgoods.example/wp-content/uploads/${slug(it.name)}.jpg`},
"offers":[{"@type":"Offer","price":${it.price.toFixed(2)},"priceCurrency":"GBP","availability":${availability(it.inStock)},"seller":{"@id":"https://www.fellgoods.example/#org"}}]${rated || raw('')}},
{"@type":"Organization","@id":"https://www.fellgoods.example/#org","name":"Fell Goods"}]}`
    const stars =
      it.rating !== undefined &&
      html`<div class="woocommerce-product-rating"><div class="star-rating" role="img"><span style="width:${it.rating * 20}%">Rated <strong class="rating">${it.rating.toFixed(2)}</strong> out of 5 based on <span class="rating">${it.reviews}</span> customer ratings</span></div></div>`
    const body = html`<nav class="woocommerce-breadcrumb"><a href="/">Home</a> / <a href="/shop/">Shop</a> / ${it.name}</nav>
<div id="product-${random.integer(100, 999)}" class="product type-product status-publish has-post-thumbnail ${it.inStock ? 'instock' : 'outofstock'}">
${it.was && html`<span class="onsale">Sale!</span>`}
<div class="woocommerce-product-gallery images"><figure><div class="woocommerce-product-gallery__image"><img src="/wp-content/uploads/${slug(it.name)}.jpg" class="wp-post-image" alt=""></div></figure></div>
<div class="summary entry-summary"><h1 class="product_title entry-title">${it.name}</h1>${stars}
<p class="price">${prices(it)}</p>
<div class="woocommerce-product-details__short-description"><p>${it.about}</p></div>
<p class="stock ${it.inStock ? 'in-stock' : 'out-of-stock'}">${it.inStock ? `${random.integer(2, 40)} in stock` : 'Out of stock'}</p>
<form class="cart"><div class="quantity"><input type="number" class="input-text qty" value="1" min="1"></div><button type="submit" class="single_add_to_cart_button">Add to basket</button></form>
<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">${it.sku}</span></span> <span class="posted_in">${categories.length > 1 ? 'Categories' : 'Category'}: ${categories.map((name, place) => html`${place > 0 && ', '}<a href="/product-category/${slug(name)}/" rel="tag">${name}</a>`)}</span></div></div>
<div class="woocommerce-tabs"><h2>Additional information</h2><table class="woocommerce-product-attributes shop_attributes">
${weight && html`<tr class="woocommerce-product-attributes-item"><th>Weight</th><td>${weight} kg</td></tr>`}
<tr class="woocommerce-product-attributes-item"><th>Dimensions</th><td>${random.integer(10, 30)} × ${random.integer(10, 30)} × ${random.integer(5, 20)} cm</td></tr></table></div>
<section class="related products"><h2>Related products</h2><ul class="products columns-4">${otherGoods(random, 'en-GB', 4).map((other) => html`<li class="product"><a href="/product/${slug(other.name)}/"><h2 class="woocommerce-loop-product__title">${other.name}</h2><span class="price">${prices(other)}</span></a></li>`)}</ul></section></div>`
    return {
      path: `/product/${slug(it.name)}/`,
      html: frame({
        ...{
          skin: 'wordpress',
          language: 'en-GB',
          site: 'Fell Goods',
          title: `${it.name} – Fell Goods`,
          body,
        },
        nav: ['Shop', 'Journal', 'Stockists', 'My account', 'Basket £0.00'],
        head: html`${structured.jsonLd(graph)}${structured.meta(['og:title', `${it.name} – Fell Goods`], ['og:type', 'product'])}`,
      }),
      expected: present({
        ...{
          productName: it.name,
          price: it.price,
          regularPrice: it.was,
          currency: 'GBP',
          sku: it.sku,
          categories,
        },
        ...{ shortDescription: it.about, averageRating: it.rating, weightKg: weight, inStock: it.inStock },
      }),
    }
  },
}

const shopify: Template = {
  name: 'shopify-dawn',
  vertical: 'products',
  carrier: 'JSON-LD',
  schema: object({
    title: text(),
    vendor: text('Brand that makes it'),
    price: number(),
    compare_at_price: number('Former price when on sale'),
    currency: text('Three-letter currency code'),
    available: yes(),
    image_url: url('Main product photo'),
    description: text(),
    review_count: integer(),
    sku: text('Stock keeping unit'),
    colors: list(text(), 'Colors to choose from'),
  }),
  page(random, structured) {
    const it = good(random, 'en-US')
    const handle = slug(it.name)
    const image = `https://cdn.shop.example/s/files/1/0${random.integer(100, 999)}/products/${handle}.jpg?v=16${random.integer(10_000, 99_999)}`
    const colors = random.some(['Black', 'Sand', 'Moss', 'Rust', 'Ivory'], random.integer(2, 3))
    const block = (one: {
      price: number
      was: number | undefined
    }) => html`<div class="price price--large${one.was ? ' price--on-sale' : ''}"><div class="price__container"><div class="price__regular"><span class="visually-hidden visually-hidden--inline">Regular price</span><span class="price-item price-item--regular">${money(one.was ?? one.price, 'USD', 'en-US')} USD</span></div>
${one.was && html`<div class="price__sale"><span class="visually-hidden">Regular price</span><span><s class="price-item price-item--regular">${money(one.was, 'USD', 'en-US')} USD</s></span><span class="visually-hidden">Sale price</span><span class="price-item price-item--sale price-item--last">${money(one.price, 'USD', 'en-US')} USD</span></div><span class="badge price__badge-sale">Sale</span>`}</div></div>`
    const offers = colors.map(
      (color, place) =>
        json`{"@type":"Offer","sku":${`${it.sku}-${place}`},"name":${color},"availability":${availability(it.inStock)},"price":${it.price},"priceCurrency":"USD"}`,
    )
    const ld = json`{"@context":"http://schema.org/","@type":"Product","name":${it.name},"url":${`https://kestrelsupply.example/products/${handle}`},"image":[${image}],"description":${it.about},"sku":${it.sku},"brand":{"@type":"Brand","name":${it.brand}},"offers":${offers}}`
    const cents = json`{"id":${random.integer(1e9, 9e9)},"title":${it.name},"vendor":${it.brand},"price":${Math.round(it.price * 100)},"compare_at_price":${it.was && Math.round(it.was * 100)},"options":["Color"]}`
    const body = html`<section id="MainProduct-template" class="page-width section-template"><div class="product product--large product--left product--thumbnail grid">
<div class="grid__item product__media-wrapper"><div class="product__media media"><img src="${image}&amp;width=1946" srcset="${image}&amp;width=246 246w, ${image}&amp;width=1946 1946w" alt="${it.name}"></div></div>
<div class="product__info-wrapper grid__item"><div class="product__info-container"><p class="product__text caption-with-letter-spacing">${it.brand}</p><div class="product__title"><h1>${it.name}</h1></div>
<div id="price-template">${block(it)}</div><div class="product__tax caption rte">Shipping calculated at checkout.</div>
${it.reviews !== undefined && html`<div class="jdgm-widget jdgm-preview-badge"><span class="jdgm-prev-badge__text">${it.reviews} reviews</span></div>`}
<fieldset class="js product-form__input product-form__input--pill"><legend class="form__label">Color</legend>${colors.map((color, place) => html`<input type="radio" id="c-${place}" name="Color" value="${color}"${place === 0 && ' checked'}><label for="c-${place}">${color}</label>`)}</fieldset>
<button type="submit" name="add" class="product-form__submit button"${!it.inStock && ' disabled'}><span>${it.inStock ? 'Add to cart' : 'Sold out'}</span></button>
<div class="product__description rte quick-add-hidden"><p>${it.about}</p><ul>${it.features.map((feature) => html`<li>${feature}</li>`)}</ul></div></div></div></div></section>
<product-recommendations class="related-products"><h2 class="related-products__heading">You may also like</h2><ul class="grid product-grid">${otherGoods(random, 'en-US', 4).map((other) => html`<li class="grid__item"><div class="card-wrapper"><h3 class="card__heading"><a href="/products/${slug(other.name)}">${other.name}</a></h3>${block(other)}</div></li>`)}</ul></product-recommendations>`
    return {
      path: `/products/${handle}`,
      html: frame({
        ...{
          skin: 'tailwind',
          language: 'en-US',
          site: 'Kestrel Supply',
          body,
          description: it.about,
          title: `${it.name} – Kestrel Supply`,
        },
        nav: ['New', 'Best Sellers', 'Gift Cards', 'Free shipping over $75'],
        head: html`${structured.meta(['og:title', it.name], ['og:price:amount', it.price.toFixed(2)], ['og:price:currency', 'USD'], ['og:image', image])}${structured.jsonLd(ld)}`,
        end: structured.state('ProductJson-template', cents),
      }),
      expected: present({
        ...{
          title: it.name,
          vendor: it.brand,
          price: it.price,
          compare_at_price: it.was,
          currency: 'USD',
          available: it.inStock,
        },
        ...{ image_url: image, description: it.about, review_count: it.reviews, colors, sku: it.sku },
      }),
      onlyStructured: ['sku'],
    }
  },
}

const hydrated: Template = {
  name: 'next-hydrated-de',
  vertical: 'products',
  carrier: 'state',
  schema: object({
    product: object({
      name: text('Produktname'),
      brand: text('Marke / Hersteller'),
      ean: text('EAN / GTIN'),
    }),
    price: object({ amount: number('price in EUR'), strikePrice: number('UVP / crossed-out price') }),
    availability: oneOf(['in_stock', 'out_of_stock', 'preorder'], 'delivery status'),
    deliveryTime: text('e.g. "2-3 Werktage"'),
    rating: object({ value: number(), count: integer() }),
    technicalData: list(object({ label: text(), value: text() }), 'rows of the table of technical data'),
    energyLabel: oneOf(['A', 'B', 'C', 'D', 'E', 'F', 'G'], 'EU energy efficiency class'),
  }),
  page(random, structured) {
    const it = good(random, 'de')
    const delivery = random.pick(['1-2 Werktage', '2-3 Werktage', '3-5 Werktage'])
    const label = random.chance(0.4) ? random.pick(['A', 'C', 'E', 'F']) : undefined
    const rows: [string, string][] = [
      ['Leistung', `${figure(random.integer(400, 2400), 'de')} W`],
      ['Gewicht', `${figure(random.integer(4, 60) / 10, 'de', 1)} kg`],
      ['Farbe', random.pick(['Anthrazit', 'Weiß', 'Edelstahl'])],
      ['Artikelnummer', it.sku],
    ]
    const summary = it.rating ? json`{"average":${it.rating},"total":${it.reviews}}` : undefined
    const state = json`{"props":{"pageProps":{"product":{"id":${it.sku},"title":${it.name},"manufacturer":${it.brand},"gtin13":${it.gtin},"currentPrice":{"value":${it.price},"currency":"EUR"},"recommendedRetailPrice":${it.was},"stock":${it.inStock ? 'AVAILABLE' : 'SOLD_OUT'},"reviewSummary":${summary}}}},"page":"/p/[slug]"}`
    const body = html`<div class="css-1x2y3z"><span class="css-br41" data-testid="pdp-brand">${it.brand}</span><h1 class="css-h9h9" data-testid="pdp-title">${it.name}</h1>
${it.rating !== undefined && html`<div class="css-st5" data-testid="rating"><span aria-label="${figure(it.rating, 'de', 1)} von 5 Sternen">★★★★☆</span><span class="css-st6">${figure(it.rating, 'de', 1)}</span><a href="#bewertungen" class="css-st7">(${figure(it.reviews ?? 0, 'de')} Bewertungen)</a></div>`}
<div class="css-pr1c" data-testid="price-box">${it.was && html`<span class="css-old">UVP <s>${figure(it.was, 'de', 2)} €</s></span>`}<span class="css-now">${figure(it.price, 'de', 2)} €</span><small class="css-vat">inkl. MwSt., zzgl. Versand ab 4,95 €</small></div>
<div class="css-av" data-testid="delivery"><span class="css-dot"></span>${it.inStock ? html`Auf Lager – Lieferzeit ${delivery}` : 'Derzeit nicht verfügbar'}</div>
${label && html`<div class="css-eel"><img src="/img/eel-${label.toLowerCase()}.svg" alt="Energieeffizienzklasse ${label}"><span>Energieeffizienzklasse: ${label}</span></div>`}
<p class="css-desc">${it.about}</p>
<h2 class="css-h2h2">Technische Daten</h2><div class="css-grid2">${rows.map(([name, value]) => html`<div class="css-row"><div class="css-c1">${name}</div><div class="css-c2">${value}</div></div>`)}</div>
<p class="css-ean">EAN: ${it.gtin}</p></div>
<div class="css-crsl" data-testid="recommendations"><h2>Kunden kauften auch</h2>${otherGoods(random, 'de', 5).map((other) => html`<a class="css-tile" href="/p/${slug(other.name)}"><div class="css-t1">${other.brand} ${other.name}</div><div class="css-t2">${figure(other.price, 'de', 2)} €</div></a>`)}</div>`
    return {
      path: `/p/${slug(`${it.brand} ${it.name}`)}-${random.integer(10_000, 99_999)}`,
      html: frame({
        ...{
          skin: 'react',
          language: 'de',
          site: 'technikhaus24',
          title: `${it.brand} ${it.name} online kaufen | technikhaus24`,
          body,
        },
        nav: ['Küche', 'Werkzeug', 'Garten', 'Angebote bis -40 %'],
        end: structured.state('__NEXT_DATA__', state),
      }),
      expected: present({
        product: { name: it.name, brand: it.brand, ean: it.gtin },
        price: present({ amount: it.price, strikePrice: it.was }),
        availability: it.inStock ? 'in_stock' : 'out_of_stock',
        deliveryTime: it.inStock ? delivery : undefined,
        rating: it.rating === undefined ? undefined : present({ value: it.rating, count: it.reviews }),
        technicalData: rows.map(([label, value]) => ({ label, value })),
        energyLabel: label,
      }),
    }
  },
}

const handWritten: Template = {
  name: 'boutique-2005-fr',
  vertical: 'products',
  carrier: 'microdata',
  schema: object({
    nom: text('nom du produit'),
    prix_ttc: number('prix TTC en euros'),
    reference: text('référence'),
    marque: text(),
    matiere: text('matière'),
    poids_g: integer('poids en grammes'),
    frais_de_port: number('frais de port en euros'),
    disponible: yes(),
  }),
  page(random, structured) {
    const it = good(random, 'fr')
    const material = random.chance(0.7)
      ? random.pick(['inox brossé', 'bois de hêtre', 'porcelaine', 'cuir'])
      : undefined
    const grams = random.integer(120, 2400)
    const postage = random.pick([4.9, 6.5, 8.95])
    const row = (label: string, value: string, attributes = '') =>
      html`<tr><td bgcolor="#f0f0e0" width="150"><font face="Verdana" size="2"><b>${label}&nbsp;:</b></font></td><td><font face="Verdana" size="2"${attributes && structured.attributes(attributes)}>${value}</font></td></tr>`
    const body = html`<div${structured.attributes('itemscope itemtype="http://schema.org/Product"')}><font face="Verdana" size="4" color="#990000"><b${structured.attributes('itemprop="name"')}>${it.name}</b></font><br><br>
<table border="0" cellpadding="4"><tr><td valign="top"><a href="photos/${slug(it.name)}_g.jpg"><img src="photos/${slug(it.name)}.jpg" width="200" border="0"${structured.attributes('itemprop="image"')}></a></td><td valign="top"><table border="1" cellpadding="3" cellspacing="0" width="380">
${row('Référence', it.sku, 'itemprop="sku"')}${row('Marque', it.brand, 'itemprop="brand"')}${material && row('Matière', material)}${row('Poids', `${figure(grams, 'fr')} g`)}${row('Disponibilité', it.inStock ? 'en stock, expédié sous 48 h' : 'épuisé')}
<tr><td bgcolor="#f0f0e0"><font face="Verdana" size="2"><b>Prix&nbsp;:</b></font></td><td${structured.attributes('itemprop="offers" itemscope itemtype="http://schema.org/Offer"')}>${structured.block(html`<meta itemprop="priceCurrency" content="EUR"><meta itemprop="price" content="${it.price.toFixed(2)}">`)}${it.was && html`<font size="1"><strike>${money(it.was, 'EUR', 'fr')}</strike></font> `}<font face="Verdana" size="3" color="#cc0000"><b>${money(it.price, 'EUR', 'fr')} TTC</b></font></td></tr></table>
<font size="1">Frais de port : ${money(postage, 'EUR', 'fr')} pour la France métropolitaine.</font></td></tr></table><p><font face="Verdana" size="2">${it.about}</font></p></div>`
    const side = html`<b>Nos promos</b><br>${otherGoods(random, 'fr', 3).map((other) => html`<a href="${slug(other.name)}.html">${other.name}</a><br>${money(other.price, 'EUR', 'fr')}<br><br>`)}`
    return {
      path: `/catalogue/${slug(it.name)}.html`,
      html: frame({
        skin: 'tables',
        language: 'fr',
        site: 'La Boutique du Jura',
        title: `La Boutique du Jura - ${it.name}`,
        body,
        side,
        nav: ['Accueil', 'Catalogue', 'Panier', 'Livraison'],
      }),
      expected: present({
        ...{
          nom: it.name,
          prix_ttc: it.price,
          reference: it.sku,
          marque: it.brand,
          matiere: material,
          poids_g: grams,
        },
        ...{ frais_de_port: postage, disponible: it.inStock },
      }),
    }
  },
}

export const products = [wooCommerce, shopify, hydrated, handWritten]
