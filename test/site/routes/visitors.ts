import { type Exchange, page, type Routes, send, sendHtml } from '../route.ts'

/** Pages that return data about the visitor. */
export const visitorRoutes: Routes = {
  '/headers': ({ request, response }) => {
    const { method, headers, rawHeaders } = request
    send(response, { 'content-type': 'application/json' }, JSON.stringify({ method, headers, rawHeaders }))
  },
  '/cookies/set': ({ response }) => {
    const cookies = [
      'visit=first; Path=/',
      'hidden=yes; Path=/cookies; HttpOnly',
      'elsewhere=no; Path=/other',
    ]
    response.writeHead(302, { location: '/cookies/read', 'set-cookie': cookies }).end()
  },
  '/cookies/read': (exchange) =>
    sendHtml(exchange, page('Cookies', `<p>${exchange.request.headers.cookie ?? 'no cookies'}</p>`)),
  // Redirects a visitor without the cookie to get it, as consent and login pages do.
  '/cookies/required': (exchange) =>
    exchange.request.headers.cookie?.includes('admitted=yes')
      ? sendHtml(exchange, page('Admitted', '<p>The cookie was there.</p>'))
      : admit(exchange),
}

function admit({ response }: Exchange) {
  response.writeHead(302, { location: '/cookies/required', 'set-cookie': 'admitted=yes; Path=/' }).end()
}
