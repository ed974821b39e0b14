import { page, type Routes, sendHtml } from '../route.ts'

/** A site with its own style, and pages whose product data is only in scripts. */
export const brandRoutes: Routes = {
  '/brand': (exchange) => sendHtml(exchange, brand),
  '/brand/product/:kind': (exchange) => sendHtml(exchange, products[exchange.params.kind ?? ''] ?? ''),
}

const icon = `<svg width="24" height="24" viewBox="0 0 24 24" fill="none" stroke="#7C3AED"><path d="M4 12h16"/></svg>`
const card = `<section><div class="card"><h2>${icon} A boat</h2><p>It floats, and it is swift.</p><button>Look</button></div></section>`

/** Page of a brand. Its success notes are large and green, and no background uses its secondary colour. */
const brand = `<!doctype html><html lang="en"><head><title>Boats</title><style>
:root { --color-primary: #7c3aed; --color-secondary: #0369a1; --color-success: #16a34a; }
body { margin: 0; font: 16px Inter, sans-serif; background: #ffffff; color: #111827 }
h1 { font-size: 56px; font-weight: 900; margin: 0 0 24px }
h2 { font-size: 28px; font-weight: 900; margin: 0 0 16px }
p { margin: 0 0 12px }
section { padding: 64px 0 }
.card { padding: 24px; border: 1px solid #d1d5db; border-radius: 12px }
.note { background: #16a34a; color: #ffffff; padding: 20px; width: 100% }
button { background: #7c3aed; color: #ffffff; border: 0; border-radius: 8px; padding: 12px 28px; font-size: 16px }
</style></head><body><header><h1>Boats for all</h1></header><div class="note">Your order has been sent.</div>
<main>${card.repeat(4)}<div class="note">It will be there by noon.</div></main></body></html>`

const boat = { sku: 'B-1', vendor: 'Wharf', images: ['/boat.png'], price: 1290, currency: 'EUR' }

/** Returns a shop page whose only product data is the given script. */
function shell(title: string, script: string): string {
  const text = 'Words enough to be read as a page and not as a frame around nothing. '.repeat(10)
  return page(title, `<p>${text}</p>`).replace('</body>', `${script}</body>`)
}

const products: Record<string, string> = {
  next: shell(
    'Wharf',
    `<script id="__NEXT_DATA__" type="application/json">${JSON.stringify({
      props: { pageProps: { product: { name: 'Skiff', ...boat } } },
    })}</script>`,
  ),
  nuxt: shell(
    'Skiff',
    `<script id="__NUXT_DATA__" type="application/json">${JSON.stringify([
      ...[['ShallowReactive', 1], { data: 2 }, { item: 3 }],
      ...[{ name: 4, sku: 5, price: 6, currency: 7 }, 'Skiff', 'B-1', 1290, 'EUR'],
    ])}</script>`,
  ),
  window: shell(
    'Skiff',
    `<script>window.shop = ${JSON.stringify({ item: { name: 'Skiff', ...boat } })};</script>`,
  ),
  range: shell(
    'Skiff',
    `<script type="application/json" data-product-json>${JSON.stringify({
      ...{ title: 'Skiff', vendor: 'Wharf', handle: 'skiff', variants: [{ id: 1, sku: 'B-1' }] },
      priceRange: { minVariantPrice: { amount: '1290.0', currencyCode: 'EUR' } },
    })}</script>`,
  ),
}
