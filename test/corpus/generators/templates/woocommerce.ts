import { type Product, products, reviews } from '../sources/shop.ts'
import { each, expected, row, type TemplatePage } from './page.ts'

const base = 'https://store.skerry.test'

const chrome = [
  'Skip to navigation',
  'Skip to content',
  'Search products',
  'No products in the cart',
  'Product categories',
  'Add to cart',
  'Select options',
  'Read more',
  'Add a review',
  'Your email address will not be published',
  'Built with',
  'Default sorting',
  'Sort by',
  'My account',
  'Related products',
]

function layout(title: string, classes: string, main: string): string {
  return `<!doctype html>
<html lang="en-US"><head><meta charset="UTF-8"><title>${title} &#8211; Skerry Store</title><meta name="generator" content="WooCommerce 9.4.1"></head>
<body class="${classes} theme-storefront woocommerce woocommerce-page woocommerce-no-js storefront-align-wide right-sidebar woocommerce-active">
<div id="page" class="hfeed site"><header id="masthead" class="site-header" role="banner"><div class="col-full"><a class="skip-link screen-reader-text" href="#site-navigation">Skip to navigation</a><a class="skip-link screen-reader-text" href="#content">Skip to content</a><div class="site-branding"><div class="beta site-title"><a href="/" rel="home">Skerry Store</a></div><p class="site-description">Goods for the shallow coast</p></div><div class="site-search"><div class="widget woocommerce widget_product_search"><form role="search" method="get" class="woocommerce-product-search" action="/"><label class="screen-reader-text">Search for:</label><input type="search" class="search-field" placeholder="Search products&hellip;" name="s"><button type="submit">Search</button></form></div></div></div>
<div class="storefront-primary-navigation"><div class="col-full"><nav id="site-navigation" class="main-navigation" role="navigation" aria-label="Primary Navigation"><button class="menu-toggle"><span>Menu</span></button><div class="primary-navigation"><ul class="menu"><li class="menu-item"><a href="/cart/">Cart</a></li><li class="menu-item"><a href="/checkout/">Checkout</a></li><li class="menu-item"><a href="/my-account/">My account</a></li></ul></div></nav><ul id="site-header-cart" class="site-header-cart menu"><li><a class="cart-contents" href="/cart/" title="View your shopping cart"><span class="woocommerce-Price-amount amount"><span class="woocommerce-Price-currencySymbol">&euro;</span>0.00</span> <span class="count">0 items</span></a></li><li><div class="widget woocommerce widget_shopping_cart"><div class="widget_shopping_cart_content"><p class="woocommerce-mini-cart__empty-message">No products in the cart.</p></div></div></li></ul></div></div></header>
<div class="storefront-breadcrumb"><div class="col-full"><nav class="woocommerce-breadcrumb" aria-label="breadcrumbs"><a href="/">Home</a><span class="breadcrumb-separator"> / </span><a href="/shop/">Shop</a><span class="breadcrumb-separator"> / </span>${title}</nav></div></div>
<div id="content" class="site-content" tabindex="-1"><div class="col-full"><div class="woocommerce"></div><div id="primary" class="content-area"><main id="main" class="site-main" role="main">
${main}
</main></div>
<div id="secondary" class="widget-area" role="complementary"><div id="woocommerce_product_categories-2" class="widget woocommerce widget_product_categories"><span class="gamma widget-title">Product categories</span><ul class="product-categories"><li class="cat-item"><a href="/product-category/clothing/">Clothing</a> <span class="count">(1)</span></li><li class="cat-item"><a href="/product-category/instruments/">Instruments</a> <span class="count">(3)</span></li></ul></div></div>
</div></div>
<footer id="colophon" class="site-footer" role="contentinfo"><div class="col-full"><div class="site-info">&copy; Skerry Store 2026<br><a href="https://woocommerce.com" target="_blank" rel="noreferrer nofollow">Built with WooCommerce</a>.</div><div class="storefront-handheld-footer-bar"><ul class="columns-3"><li class="my-account"><a href="/my-account/">My Account</a></li><li class="search"><a href="">Search</a></li><li class="cart"><a class="footer-cart-contents" href="/cart/">Cart<span class="count">0</span></a></li></ul></div></div></footer></div>
</body></html>\n`
}

const amount = (price: string) =>
  `<span class="woocommerce-Price-amount amount"><bdi><span class="woocommerce-Price-currencySymbol">&euro;</span>${price.slice(1)}</bdi></span>`

function priceHtml({ price, before }: Product): string {
  if (!before) return amount(price)
  return `<del aria-hidden="true">${amount(before)}</del> <span class="screen-reader-text">Original price was: ${before}.</span><ins aria-hidden="true">${amount(price)}</ins><span class="screen-reader-text">Current price is: ${price}.</span>`
}

const saleBadge = (product: Product) => (product.before ? '<span class="onsale">Sale!</span>' : '')

const card = (product: Product) =>
  `<li class="product type-product status-publish ${product.isSoldOut ? 'outofstock' : 'instock'} product_cat-${product.category.toLowerCase()} has-post-thumbnail"><a href="/product/${product.slug}/" class="woocommerce-LoopProduct-link woocommerce-loop-product__link"><img width="324" height="324" src="/wp-content/uploads/${product.slug}-324x324.jpg" class="attachment-woocommerce_thumbnail size-woocommerce_thumbnail" alt="" loading="lazy"><h2 class="woocommerce-loop-product__title">${product.name}</h2>${saleBadge(product)}<span class="price">${priceHtml(product)}</span></a><a href="?add-to-cart=1" data-quantity="1" class="button product_type_simple add_to_cart_button ajax_add_to_cart" rel="nofollow">${product.options ? 'Select options' : product.isSoldOut ? 'Read more' : 'Add to cart'}</a></li>`

/** Returns text that results if the text for screen readers is joined to the visible text. */
const joinedText = (listedProducts: Product[]) => {
  const reduced = listedProducts.filter(({ before }) => before)
  return reduced.length === 0
    ? []
    : ['Sale!~~', ...reduced.flatMap(({ price }) => [`.${price.slice(1)}`, `.${price}`, `${price}Current`])]
}

interface Extras {
  hasReviews?: boolean
  grouped?: Product[]
}

function cart(product: Product, { grouped }: Extras): string {
  if (product.isSoldOut) return '<p class="stock out-of-stock">Out of stock</p>'
  const button =
    '<button type="submit" name="add-to-cart" class="single_add_to_cart_button button alt">Add to cart</button>'
  const quantity =
    '<div class="quantity"><label class="screen-reader-text">Quantity</label><input type="number" class="input-text qty text" name="quantity" value="1"></div>'
  if (grouped) {
    return `<form class="cart grouped_form" method="post"><table cellspacing="0" class="woocommerce-grouped-product-list group_table"><tbody>${each(grouped, (product) => `<tr class="woocommerce-grouped-product-list-item product type-product"><td class="woocommerce-grouped-product-list-item__quantity">${quantity}</td><td class="woocommerce-grouped-product-list-item__label"><label><a href="/product/${product.slug}/">${product.name}</a></label></td><td class="woocommerce-grouped-product-list-item__price">${priceHtml(product)}</td></tr>`)}</tbody></table>${button}</form>`
  }
  if (product.options) {
    return `<form class="variations_form cart" method="post"><table class="variations" role="presentation"><tbody>${each(product.options, (option) => `<tr><th class="label"><label for="${option.name}">${option.name}</label></th><td class="value"><select id="${option.name}" name="attribute_${option.name}"><option value="">Choose an option</option>${each(option.values, (value) => `<option value="${value}">${value}</option>`)}</select></td></tr>`)}<tr><td colspan="2"><button class="reset_variations" aria-label="Clear options">Clear</button></td></tr></tbody></table><div class="single_variation_wrap"><div class="woocommerce-variation single_variation"></div><div class="woocommerce-variation-add-to-cart variations_button">${quantity}${button}</div></div></form>`
  }
  return `<form class="cart" method="post">${quantity}${button}</form>`
}

function reviewsTab(product: Product): string {
  const list = each(
    reviews,
    (review, index) =>
      `<li class="review byuser comment even thread-even depth-1" id="li-comment-${index}"><div id="comment-${index}" class="comment_container"><img alt="" src="https://secure.gravatar.com/avatar/${index}?s=60" class="avatar avatar-60 photo" height="60" width="60"><div class="comment-text"><div class="star-rating" role="img" aria-label="Rated ${review.stars} out of 5"><span style="width:${review.stars * 20}%">Rated <strong class="rating">${review.stars}</strong> out of 5</span></div><p class="meta"><strong class="woocommerce-review__author">${review.author} </strong><em class="woocommerce-review__verified verified">(verified owner)</em> <span class="woocommerce-review__dash">&ndash;</span> <time class="woocommerce-review__published-date">${review.date}</time></p><div class="description"><p>${review.text}</p></div></div></div></li>`,
  )
  return `<div class="woocommerce-Tabs-panel woocommerce-Tabs-panel--reviews panel entry-content wc-tab" id="tab-reviews" role="tabpanel" aria-labelledby="tab-title-reviews"><div id="reviews" class="woocommerce-Reviews"><div id="comments"><h2 class="woocommerce-Reviews-title">${reviews.length} reviews for <span>${product.name}</span></h2><ol class="commentlist">${list}</ol></div><div id="review_form_wrapper"><div id="review_form"><div id="respond" class="comment-respond"><span id="reply-title" class="comment-reply-title">Add a review</span><form class="comment-form"><p class="comment-notes"><span id="email-notes">Your email address will not be published.</span> <span class="required-field-message">Required fields are marked <span class="required">*</span></span></p><div class="comment-form-rating"><label>Your rating</label><select name="rating"><option>Rate&hellip;</option><option>Perfect</option></select></div></form></div></div></div></div></div>`
}

function productPage(name: string, product: Product, related: Product[], extras: Extras = {}): TemplatePage {
  const names = [
    'Description',
    'Additional information',
    ...(extras.hasReviews ? [`Reviews (${reviews.length})`] : []),
  ]
  const tabs = each(
    names,
    (title, index) =>
      `<li class="tab${index}_tab" id="tab-title-${index}" role="tab"><a href="#tab-${index}">${title}</a></li>`,
  )
  const facts = each(
    product.facts,
    ([fact, value]) =>
      `<tr class="woocommerce-product-attributes-item"><th class="woocommerce-product-attributes-item__label" scope="row">${fact}</th><td class="woocommerce-product-attributes-item__value"><p>${value}</p></td></tr>`,
  )
  const main = `<div class="woocommerce-notices-wrapper"></div><div id="product-7" class="product type-product post-7 status-publish first instock has-post-thumbnail product-type-simple">${saleBadge(product)}<div class="woocommerce-product-gallery woocommerce-product-gallery--with-images images"><div class="woocommerce-product-gallery__wrapper"><div class="woocommerce-product-gallery__image"><a href="/wp-content/uploads/${product.slug}.jpg"><img width="416" height="416" src="/wp-content/uploads/${product.slug}-416x416.jpg" class="wp-post-image" alt="${product.name} on a table"></a></div></div></div>
<div class="summary entry-summary"><h1 class="product_title entry-title">${product.name}</h1>${extras.hasReviews ? '<div class="woocommerce-product-rating"><div class="star-rating" role="img" aria-label="Rated 3.67 out of 5"><span style="width:73%">Rated <strong class="rating">3.67</strong> out of 5</span></div><a href="#reviews" class="woocommerce-review-link" rel="nofollow">(<span class="count">3</span> customer reviews)</a></div>' : ''}<p class="price">${priceHtml(product)}</p><div class="woocommerce-product-details__short-description"><p>${product.summary}</p></div>${cart(product, extras)}<div class="product_meta"><span class="sku_wrapper">SKU: <span class="sku">${product.sku}</span></span> <span class="posted_in">Category: <a href="/product-category/${product.category.toLowerCase()}/" rel="tag">${product.category}</a></span></div></div>
<div class="woocommerce-tabs wc-tabs-wrapper"><ul class="tabs wc-tabs" role="tablist">${tabs}</ul><div class="woocommerce-Tabs-panel woocommerce-Tabs-panel--description panel entry-content wc-tab" id="tab-description" role="tabpanel"><h2>Description</h2>${each(product.paragraphs, (text) => `<p>${text}</p>`)}<ul>${each(product.features, (text) => `<li>${text}</li>`)}</ul></div><div class="woocommerce-Tabs-panel woocommerce-Tabs-panel--additional_information panel entry-content wc-tab" id="tab-additional_information" role="tabpanel"><h2>Additional information</h2><table class="woocommerce-product-attributes shop_attributes" aria-label="Product Details">${facts}</table></div>${extras.hasReviews ? reviewsTab(product) : ''}</div>
<section class="related products"><h2>Related products</h2><ul class="products columns-3">${each(related, card)}</ul></section></div><nav class="storefront-product-pagination" aria-label="More products"><a href="/product/${related[0]?.slug}/" rel="prev"><img src="/wp-content/uploads/x.jpg" alt="" width="324" height="324"><span class="storefront-product-pagination__title">${related[0]?.name}</span></a></nav>`
  return {
    name,
    html: layout(product.name, 'product-template-default single single-product', main),
    expectation: expected(`${base}/product/${product.slug}/`, {
      lines: [
        `# ${product.name}`,
        '## Description',
        product.features.map((text) => `- ${text}`).join('\n'),
        '## Additional information',
        product.facts.map(row).join('\n'),
      ],
      text: [
        product.summary,
        product.price,
        ...product.paragraphs,
        ...(product.before ? [`~~${product.before}~~`] : []),
      ],
      words: [
        `SKU: ${product.sku}`,
        `Category: ${product.category}`,
        ...(product.isSoldOut ? ['Out of stock'] : []),
      ],
      inOrder: [
        [
          product.name,
          product.price,
          product.summary,
          'Description',
          product.paragraphs[0] ?? '',
          'Additional information',
        ],
        ...(extras.grouped ?? []).map((product) => [product.name, product.price]),
        ...(extras.hasReviews
          ? reviews.map((review) => [`Rated ${review.stars}`, review.author, review.date, review.text])
          : []),
      ],
      not: [...chrome, ...joinedText([product]), ...related.map((other) => other.name), 'Choose an option'],
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
  const main = `<header class="woocommerce-products-header"><h1 class="woocommerce-products-header__title page-title">${title}</h1><div class="term-description"><p>${intro}</p></div></header><div class="woocommerce-notices-wrapper"></div><div class="storefront-sorting"><form class="woocommerce-ordering" method="get"><select name="orderby" class="orderby" aria-label="Shop order"><option>Default sorting</option><option>Sort by popularity</option></select></form><p class="woocommerce-result-count">Showing all ${listedProducts.length} results</p></div><ul class="products columns-3">${each(listedProducts, card)}</ul><div class="storefront-sorting"><form class="woocommerce-ordering" method="get"><select name="orderby" class="orderby"><option>Default sorting</option></select></form><p class="woocommerce-result-count">Showing all ${listedProducts.length} results</p><nav class="woocommerce-pagination"><ul class="page-numbers"><li><span aria-current="page" class="page-numbers current">1</span></li><li><a class="page-numbers" href="${path}page/2/">2</a></li><li><a class="next page-numbers" href="${path}page/2/">&rarr;</a></li></ul></nav></div>`
  return {
    name,
    html: layout(title, 'archive post-type-archive-product', main),
    expectation: expected(base + path, {
      lines: [`# ${title}`],
      text: [
        intro,
        ...listedProducts.map((product) => `(${base}/product/${product.slug}/)`),
        ...listedProducts.flatMap(({ before }) => (before ? [`~~${before}~~`] : [])),
      ],
      inOrder: listedProducts.map((product) => [product.name, product.price]),
      not: [...chrome, ...joinedText(listedProducts), '→'],
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

export const woocommerce: TemplatePage[] = [
  productPage('product', clock, [line, notebook]),
  productPage('product-on-sale', line, [clock, pole]),
  productPage('product-with-options', jacket, [notebook, clock]),
  productPage('product-sold-out', weight, [notebook, clock]),
  productPage('product-with-reviews', pole, [line, jacket], { hasReviews: true }),
  productPage('product-grouped', notebook, [jacket], { grouped: [clock, line, pole] }),
  listPage('shop', '/shop/', 'Shop', products, 'Everything we have, in no order.'),
  listPage(
    'category',
    '/product-category/instruments/',
    'Instruments',
    [clock, line, pole],
    'What tells you where the bottom is.',
  ),
  listPage('tag', '/product-tag/brass/', 'Brass', [clock, weight], 'It turns green if you let it.'),
  listPage(
    'search',
    '/?s=sounding&post_type=product',
    'Search results: “sounding”',
    [notebook, pole],
    'Two things were found for you.',
  ),
]
