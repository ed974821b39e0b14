import { type Product, products, questions, reviews, shipping } from '../sources/shop.ts'
import { each, expected, row, type TemplatePage } from './page.ts'

const base = 'https://shop.skerry.test'

const chrome = [
  'Skip to content',
  'Free shipping over',
  'Your cart is empty',
  'Continue shopping',
  'Subscribe to our emails',
  'Powered by Shopify',
  'Refund policy',
  'Quick links',
  'Add to cart',
  'Buy it now',
  'Decrease quantity',
  'Share',
  'Link copied',
  'SaleSold out',
]

function layout(title: string, template: string, main: string): string {
  const menu = each(
    ['Instruments', 'Clothing', 'Chart table'],
    (name) =>
      `<li><a href="/collections/${name.toLowerCase().replace(' ', '-')}" class="header__menu-item list-menu__item link link--text focus-inset"><span>${name}</span></a></li>`,
  )
  return `<!doctype html>
<html class="no-js" lang="en"><head><meta charset="utf-8"><title>${title} &ndash; Skerry Chandlery</title><meta property="og:site_name" content="Skerry Chandlery"><meta property="og:title" content="${title}"></head>
<body class="gradient template-${template}">
<a class="skip-to-content-link button visually-hidden" href="#MainContent">Skip to content</a>
<div id="shopify-section-sections--announcement-bar" class="shopify-section shopify-section-group-header-group announcement-bar-section"><div class="utility-bar color-scheme-4 gradient"><div class="page-width utility-bar__grid"><div class="announcement-bar" role="region" aria-label="Announcement"><p class="announcement-bar__message h5"><span>Free shipping over €90</span></p></div></div></div></div>
<div id="shopify-section-sections--header" class="shopify-section shopify-section-group-header-group section-header"><sticky-header class="header-wrapper color-scheme-1 gradient header-wrapper--border-bottom"><header class="header header--middle-left header--mobile-center page-width header--has-menu">
<header-drawer><details id="Details-menu-drawer-container" class="menu-drawer-container"><summary class="header__icon header__icon--menu" aria-label="Menu"><span></span></summary><div id="menu-drawer" class="gradient menu-drawer motion-reduce"><nav class="menu-drawer__navigation"><ul class="menu-drawer__menu has-submenu list-menu" role="list">${menu}</ul></nav></div></details></header-drawer>
<a href="/" class="header__heading-link link link--text focus-inset"><span class="h2">Skerry Chandlery</span></a>
<nav class="header__inline-menu"><ul class="list-menu list-menu--inline" role="list">${menu}</ul></nav>
<div class="header__icons"><details-modal class="header__search"><details><summary class="header__icon header__icon--search" aria-label="Search"><span></span></summary><div class="search-modal modal__content gradient" role="dialog" aria-modal="true" aria-label="Search"><form action="/search" method="get" role="search"><input type="search" name="q" placeholder="Search"><label>Search</label></form></div></details></details-modal><a href="/account/login" class="header__icon header__icon--account"><span class="visually-hidden">Log in</span></a><a href="/cart" class="header__icon header__icon--cart"><span class="visually-hidden">Cart</span></a></div>
</header></sticky-header></div>
<cart-notification><div class="cart-notification-wrapper page-width"><div id="cart-notification" class="cart-notification focus-inset" aria-modal="true" role="dialog" tabindex="-1"><h2 class="cart-notification__heading caption-large text-body">Item added to your cart</h2><button type="button" class="link button-label">Continue shopping</button></div></div></cart-notification>
<main id="MainContent" class="content-for-layout focus-none" role="main" tabindex="-1">
${main}
</main>
<div id="shopify-section-sections--footer" class="shopify-section shopify-section-group-footer-group"><footer class="footer color-scheme-1 gradient section-footer-padding"><div class="footer__content-top page-width"><div class="footer__blocks-wrapper grid"><div class="footer-block grid__item footer-block--menu"><h2 class="footer-block__heading inline-richtext">Quick links</h2><ul class="footer-block__details-content list-unstyled"><li><a href="/search" class="link link--text list-menu__item">Search</a></li><li><a href="/pages/about" class="link link--text list-menu__item">About the shop</a></li></ul></div></div><div class="footer-block--newsletter"><div class="footer-block__newsletter"><h2 class="footer-block__heading">Subscribe to our emails</h2><form method="post" action="/contact#ContactFooter" class="footer__newsletter newsletter-form"><input type="email" name="contact[email]" placeholder="Email"></form></div></div></div>
<div class="footer__content-bottom"><div class="footer__content-bottom-wrapper page-width"><div class="footer__copyright caption"><small class="copyright__content">&copy; 2026, <a href="/">Skerry Chandlery</a></small><small class="copyright__content"><a target="_blank" rel="nofollow" href="https://www.shopify.com">Powered by Shopify</a></small><ul class="policies list-unstyled"><li><small class="copyright__content"><a href="/policies/refund-policy">Refund policy</a></small></li><li><small class="copyright__content"><a href="/policies/privacy-policy">Privacy policy</a></small></li></ul></div></div></div></footer></div>
</body></html>\n`
}

function price({ price, before, isSoldOut }: Product): string {
  const classes = `price${before ? ' price--on-sale' : ''}${isSoldOut ? ' price--sold-out' : ''} price--show-badge`
  const regular = `<div class="price__regular"><span class="visually-hidden visually-hidden--inline">Regular price</span> <span class="price-item price-item--regular">${price}</span></div>`
  const sale = `<div class="price__sale"><span class="visually-hidden visually-hidden--inline">Regular price</span> <span><s class="price-item price-item--regular">${before ?? ''}</s></span><span class="visually-hidden visually-hidden--inline">Sale price</span> <span class="price-item price-item--sale price-item--last">${price}</span></div>`
  return `<div class="${classes}"><div class="price__container">${regular}${sale}<small class="unit-price caption hidden"><span class="visually-hidden">Unit price</span></small></div><span class="badge price__badge-sale color-scheme-5">Sale</span><span class="badge price__badge-sold-out color-scheme-3">Sold out</span></div>`
}

const card = (
  product: Product,
) => `<li class="grid__item"><div class="card-wrapper product-card-wrapper underline-links-hover"><div class="card card--standard card--media"><div class="card__inner color-scheme-2 gradient ratio"><div class="card__media"><div class="media media--transparent media--hover-effect"><img src="//shop.skerry.test/cdn/${product.slug}.jpg?width=533" alt="${product.name}" loading="lazy" width="533" height="533"></div></div><div class="card__content"><div class="card__information"><h3 class="card__heading"><a href="/products/${product.slug}" class="full-unstyled-link">${product.name}</a></h3></div></div></div>
<div class="card__content"><div class="card__information"><h3 class="card__heading h5"><a href="/products/${product.slug}" class="full-unstyled-link">${product.name}</a></h3><div class="card-information"><span class="visually-hidden">Vendor:</span><div class="caption-with-letter-spacing light">${product.vendor}</div>${price(product)}</div></div></div></div></div></li>`

interface Extras {
  hasReviews?: boolean
  hasQuestions?: boolean
}

function productPage(name: string, product: Product, related: Product[], extras: Extras = {}): TemplatePage {
  const options = each(
    product.options ?? [],
    (option) =>
      `<fieldset class="js product-form__input product-form__input--pill"><legend class="form__label">${option.name}</legend>${each(option.values, (value, index) => `<input type="radio" id="${option.name}-${index}" name="${option.name}" value="${value}"><label for="${option.name}-${index}">${value}<span class="visually-hidden label-unavailable">Variant sold out or unavailable</span></label>`)}</fieldset>`,
  )
  const accordion = (title: string, html: string) =>
    `<div class="product__accordion accordion quick-add-hidden"><details><summary role="button" aria-expanded="false"><div class="summary__title"><h2 class="h4 accordion__title inline-richtext">${title}</h2></div></summary><div class="accordion__content rte">${html}</div></details></div>`
  const facts = `<table><tbody>${each(product.facts, ([fact, value]) => `<tr><th>${fact}</th><td>${value}</td></tr>`)}</tbody></table>`
  const questionSection = extras.hasQuestions
    ? `<div class="shopify-section section"><div class="collapsible-content color-scheme-1 gradient"><div class="collapsible-content__wrapper page-width"><div class="collapsible-content__header"><h2 class="collapsible-content__heading inline-richtext h1">Questions about this product</h2></div><div class="collapsible-content__grid">${each(questions, ([question, answer]) => `<div class="accordion"><details><summary><div class="summary__title"><h3 class="accordion__title inline-richtext h4">${question}</h3></div></summary><div class="accordion__content rte"><p>${answer}</p></div></details></div>`)}</div></div></div></div>`
    : ''
  const reviewSection = extras.hasReviews
    ? `<div class="shopify-section section"><div class="page-width"><div id="shopify-product-reviews" data-id="7"><div class="spr-container"><div class="spr-header"><h2 class="spr-header-title">Customer Reviews</h2></div><div class="spr-content"><div class="spr-reviews">${each(reviews, (review, index) => `<div class="spr-review" id="spr-review-${index}"><div class="spr-review-header"><span class="spr-starratings spr-review-header-starratings" aria-label="${review.stars} of 5 stars" role="img"></span><h3 class="spr-review-header-title"></h3><span class="spr-review-header-byline"><strong>${review.author}</strong> on <strong>${review.date}</strong></span></div><div class="spr-review-content"><p class="spr-review-content-body">${review.text}</p></div><div class="spr-review-footer"><a href="#" class="spr-review-reportreview">Report as Inappropriate</a></div></div>`)}</div></div></div></div></div></div>`
    : ''
  const main = `<section id="shopify-section-template--main" class="shopify-section section"><section id="MainProduct-template--main" class="page-width section-template--main-padding" data-section="template--main"><div class="product product--large product--left product--stacked grid grid--1-col grid--2-col-tablet"><div class="grid__item product__media-wrapper"><media-gallery id="MediaGallery" role="region" class="product__media-gallery" aria-label="Gallery Viewer"><ul class="product__media-list contains-media grid grid--peek list-unstyled slider slider--mobile" role="list"><li class="product__media-item grid__item slider__slide is-active"><div class="product-media-container media-type-image"><div class="product__media media media--transparent"><img src="//shop.skerry.test/cdn/${product.slug}.jpg?width=1946" alt="${product.name} from the front" width="1946" height="1946"></div></div></li></ul></media-gallery></div>
<div class="product__info-wrapper grid__item"><section id="ProductInfo-template--main" class="product__info-container product__info-container--sticky"><p class="product__text inline-richtext caption-with-letter-spacing">${product.vendor}</p><div class="product__title"><h1>${product.name}</h1><a href="/products/${product.slug}" class="product__title"><h2 class="h1">${product.name}</h2></a></div><p class="product__text subtitle inline-richtext">${product.summary}</p><div class="no-js-hidden" id="price-template--main" role="status">${price(product)}</div><div class="product__tax caption rte">Taxes included.</div>
<variant-radios>${options}</variant-radios>
<div class="product-form__input product-form__quantity"><label class="quantity__label form__label">Quantity</label><quantity-input class="quantity"><button class="quantity__button" name="minus" type="button"><span class="visually-hidden">Decrease quantity for ${product.name}</span></button><input class="quantity__input" type="number" name="quantity" value="1"><button class="quantity__button" name="plus" type="button"><span class="visually-hidden">Increase quantity for ${product.name}</span></button></quantity-input></div>
<div><product-form class="product-form"><form method="post" action="/cart/add"><div class="product-form__buttons"><button type="submit" name="add" class="product-form__submit button button--full-width button--secondary"><span>${product.isSoldOut ? 'Sold out' : 'Add to cart'}</span></button><div data-shopify="payment-button" class="shopify-payment-button"><button type="button" class="shopify-payment-button__button">Buy it now</button></div></div></form></product-form></div>
<div class="product__description rte quick-add-hidden">${each(product.paragraphs, (text) => `<p>${text}</p>`)}<ul>${each(product.features, (text) => `<li>${text}</li>`)}</ul></div>${accordion('Materials and measures', facts)}${accordion('Care', '<p>Wipe with a dry cloth.</p>')}
<share-button class="share-button quick-add-hidden"><button class="share-button__button">Share</button><details><summary class="share-button__button">Share</summary><div class="share-button__fallback motion-reduce"><span class="share-button__message hidden" role="status"></span><label class="field__label">Link</label><button class="share-button__copy"><span class="visually-hidden">Copy link</span></button></div></details></share-button><a href="/products/${product.slug}" class="link product__view-details">View full details</a></section></div></div></section></section>
${questionSection}${reviewSection}<section class="shopify-section section"><product-recommendations class="related-products page-width section-padding isolate"><h2 class="related-products__heading inline-richtext h2">You may also like</h2><ul class="grid product-grid grid--4-col-desktop grid--2-col-tablet-down" role="list">${each(related, card)}</ul></product-recommendations></section>`
  return {
    name,
    html: layout(product.name, 'product', main),
    expectation: expected(`${base}/products/${product.slug}`, {
      lines: [`# ${product.name}`, product.features.map((text) => `- ${text}`).join('\n')],
      text: [
        product.summary,
        product.price,
        ...product.paragraphs,
        ...(product.before ? [`~~${product.before}~~`] : []),
      ],
      words: [product.vendor, ...(product.isSoldOut ? ['Sold out'] : [])],
      inOrder: [
        [product.name, product.price, product.paragraphs[0] ?? '', 'Materials and measures'],
        ['Materials and measures', ...product.facts.flat(), 'Care', 'Wipe with a dry cloth.'],
        ...(product.options ?? []).map((option) => [option.name, ...option.values]),
        ...(extras.hasReviews ? reviews.map((review) => [review.author, review.date, review.text]) : []),
        ...(extras.hasQuestions ? questions : []),
      ],
      not: [
        ...chrome,
        ...related.map((other) => other.name),
        'Variant sold out or unavailable',
        'Report as Inappropriate',
        'View full details',
        'Log in',
      ],
    }),
  }
}

function listPage(
  name: string,
  path: string,
  title: string,
  listedProducts: Product[],
  intro: string,
): TemplatePage {
  const filters = `<div class="facets-container"><facet-filters-form class="facets"><form id="FacetFiltersForm" class="facets__form"><h2 class="facets__heading caption-large text-body">Filter:</h2><details class="disclosure-has-popup facets__disclosure"><summary class="facets__summary caption-large"><span class="facets__summary-label">Availability</span></summary><div class="facets__display"><ul class="facets__list list-unstyled"><li class="list-menu__item facets__item"><label class="facet-checkbox"><input type="checkbox"><span class="facet-checkbox__text">In stock (5)</span></label></li></ul></div></details><div class="facet-filters sorting caption"><label class="facet-filters__label caption-large">Sort by:</label><select name="sort_by" class="facet-filters__sort select__select caption-large"><option>Best selling</option><option>Price, low to high</option></select></div></form></facet-filters-form></div>`
  const heading = `<div class="collection-hero color-scheme-1 gradient"><div class="collection-hero__inner page-width"><div class="collection-hero__text-wrapper"><h1 class="collection-hero__title"><span class="visually-hidden">Collection: </span>${title}</h1><div class="collection-hero__description rte"><p>${intro}</p></div></div></div></div>`
  const main = `<section class="shopify-section section">${heading}</section><div class="shopify-section section"><div class="section-padding">${filters}<div class="product-grid-container" id="ProductGridContainer"><div class="collection page-width"><ul id="product-grid" class="grid product-grid grid--2-col-tablet-down grid--3-col-desktop">${each(listedProducts, card)}</ul><div class="pagination-wrapper"><nav class="pagination" role="navigation" aria-label="Pagination"><ul class="pagination__list list-unstyled" role="list"><li><a role="link" aria-disabled="true" class="pagination__item pagination__item--current light" aria-current="page">1</a></li><li><a href="?page=2" class="pagination__item link" aria-label="Page 2">2</a></li><li><a href="?page=2" class="pagination__item pagination__item--next" aria-label="Next page"></a></li></ul></nav></div></div></div></div></div>`
  return {
    name,
    html: layout(title, 'collection', main),
    expectation: expected(`${base}${path}`, {
      text: [intro, ...listedProducts.map((product) => `(${base}/products/${product.slug})`)],
      words: [title],
      inOrder: listedProducts.map((product) => [product.name, product.vendor, product.price]),
      not: [
        ...chrome,
        'Filter:',
        'Availability',
        'In stock (5)',
        'Sort by',
        'Best selling',
        'Next page',
        'Page 2',
      ],
    }),
  }
}

function textPage(
  name: string,
  path: string,
  template: string,
  title: string,
  html: string,
  wanted: { lines: string[]; text: string[] },
): TemplatePage {
  const main = `<section class="shopify-section section"><div class="page-width page-width--narrow section-padding"><h1 class="main-page-title page-title h0">${title}</h1><div class="rte">${html}</div></div></section>`
  return {
    name,
    html: layout(title, template, main),
    expectation: expected(base + path, {
      lines: [`# ${title}`, ...wanted.lines],
      text: wanted.text,
      not: chrome,
    }),
  }
}

const [clock, line, jacket, weight, notebook, pole] = products as [
  Product,
  Product,
  Product,
  Product,
  Product,
  Product,
]
const rates = `<p>We send on Mondays and Thursdays.</p><table><thead><tr>${each(shipping[0] ?? [], (cell) => `<th>${cell}</th>`)}</tr></thead><tbody>${each(shipping.slice(1), (cells) => `<tr>${each(cells, (cell) => `<td>${cell}</td>`)}</tr>`)}</tbody></table><h2>Returns</h2><p>Thirty days, unless it has been to sea.</p>`

export const shopify: TemplatePage[] = [
  productPage('product', clock, [line, notebook]),
  productPage('product-on-sale', line, [clock, pole]),
  productPage('product-with-options', jacket, [notebook, clock]),
  productPage('product-sold-out', weight, [notebook, clock]),
  productPage('product-with-reviews', pole, [line, jacket], { hasReviews: true }),
  productPage('product-with-questions', notebook, [weight, clock], { hasQuestions: true, hasReviews: true }),
  listPage(
    'collection',
    '/collections/instruments',
    'Instruments',
    [clock, line, pole],
    'What tells you where the bottom is.',
  ),
  listPage(
    'collection-of-all',
    '/collections/all',
    'All goods',
    products,
    'Everything on the shelves of the shed.',
  ),
  textPage('page', '/pages/shipping', 'page', 'Shipping and returns', rates, {
    lines: shipping.map(row).slice(0, 1).concat(shipping.slice(1).map(row).join('\n'), '## Returns'),
    text: ['We send on Mondays and Thursdays.', 'Thirty days, unless it has been to sea.'],
  }),
  textPage(
    'policy',
    '/policies/terms-of-service',
    'policy',
    'Terms of service',
    '<h2>Orders</h2><p>An order is a promise on both sides.</p><ol><li>You pay.</li><li>We send.</li></ol><h2>Disputes</h2><p>We talk first. Then a court in Oslo decides.</p>',
    {
      lines: ['## Orders', '1. You pay.\n2. We send.', '## Disputes'],
      text: ['An order is a promise on both sides.', 'Then a court in Oslo decides.'],
    },
  ),
]
