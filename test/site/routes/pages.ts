import { numberFrom, page, type Routes, sendHtml } from '../route.ts'

const home = page(
  'Test site',
  '<ul><li><a href="/article">Article</a></li><li><a href="/pages/1">Pages</a></li></ul>',
)

export const pageRoutes: Routes = {
  '/': (exchange) => sendHtml(exchange, home),
  '/pages/:number': (exchange) => {
    const number = numberFrom(exchange.params.number, 1, Number.MAX_SAFE_INTEGER)
    const text = `<p>This is the text of page ${number}.</p><p><a href="/pages/${number + 1}">Next</a></p>`
    sendHtml(exchange, page(`Page ${number}`, text))
  },
  '/count': (exchange) => sendHtml(exchange, page('Counter', `<p>Visit ${exchange.visit}</p>`)),
  // Each name has its own counter, so that tests can share a site without sharing a counter.
  '/count/:name': (exchange) => sendHtml(exchange, page('Counter', `<p>Visit ${exchange.visit}</p>`)),
}
