import { page, type Routes, sendHtml } from './route.ts'

const lamp = (name: string, price: string) =>
  page(
    name,
    `<dl><dt>Price</dt><dd>${price}</dd><dt>Weight</dt><dd>2.5 kg</dd></dl>
<p>The ${name} was shown in Lund in 1972 for the first time. Its shade is made of oiled paper from the mill at Tumba.</p>
<p>The keeper of the quellmark lighthouse ordered forty of these lamps for the harbour office.</p>`,
  )

/** A small shop, for tests that read pages with a schema, a question or a query. */
export const lampRoutes: Routes = {
  '/lamps': (exchange) =>
    sendHtml(
      exchange,
      page('Lamps', '<a href="/lamps/desk">Desk lamp</a> <a href="/lamps/floor">Floor lamp</a>'),
    ),
  '/lamps/desk': (exchange) => sendHtml(exchange, lamp('Desk lamp', '1.299,00 €')),
  '/lamps/floor': (exchange) => sendHtml(exchange, lamp('Floor lamp', '89,50 €')),
}
