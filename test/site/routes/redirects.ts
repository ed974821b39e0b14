import { type Exchange, numberFrom, page, type Routes, sendHtml } from '../route.ts'

/** URLs to which a public page must not be able to redirect the service. */
export const forbiddenTargets: Record<string, string> = {
  metadata: 'http://169.254.169.254/',
  'private-10': 'http://10.0.0.1/',
  'private-172': 'http://172.16.0.1/',
  'private-192': 'http://192.168.0.1/',
  loopback: 'http://127.0.0.1:1/',
  'loopback-six': 'http://[::1]:8080/',
  'mapped-loopback': 'http://[::ffff:127.0.0.1]:1/',
  file: 'file:///etc/passwd',
  javascript: 'javascript:alert(1)',
  data: 'data:text/html,<p>inline</p>',
}

export const redirectRoutes: Routes = {
  // The number is the count of remaining hops; zero is the last page.
  '/redirect/chain/:hops': (exchange) => {
    const hops = numberFrom(exchange.params.hops, 0, 25)
    if (hops === 0) return sendHtml(exchange, page('End of the chain', '<p>All hops were taken.</p>'))
    redirect(exchange, `/redirect/chain/${hops - 1}`)
  },
  '/redirect/loop': (exchange) => redirect(exchange, '/redirect/loop-back'),
  '/redirect/loop-back': (exchange) => redirect(exchange, '/redirect/loop'),
  // Status 301, 302, 303, 307 or 308. The target returns the received method.
  '/redirect/status/:code': (exchange) =>
    redirect(exchange, '/headers', numberFrom(exchange.params.code, 302, 308)),
  '/redirect/forbidden/:kind': (exchange) => {
    const target = forbiddenTargets[exchange.params.kind ?? '']
    if (!target) return exchange.response.writeHead(404).end()
    redirect(exchange, target)
  },
  '/redirect/fragment': (exchange) => redirect(exchange, '/article#moon'),
  '/redirect/relative': (exchange) => redirect(exchange, '../pages/1'),
  '/redirect/query-only': (exchange) =>
    exchange.url.search
      ? sendHtml(exchange, page('Query arrived', `<p>${exchange.url.searchParams.get('step')}</p>`))
      : redirect(exchange, '?step=two'),
  // Sends the bytes of UTF-8 without percent-encoding, as some servers do.
  '/redirect/raw-bytes': (exchange) =>
    redirect(exchange, Buffer.from('/pages/1?name=é', 'utf8').toString('latin1')),
  '/redirect/missing-location': ({ response }) => response.writeHead(302).end(),
  '/redirect/empty-location': (exchange) => redirect(exchange, ''),
  '/redirect/malformed-location': (exchange) => redirect(exchange, 'http://[not-an-address/'),
  '/redirect/to': (exchange) =>
    redirect(
      exchange,
      exchange.url.searchParams.get('url') ?? '/',
      numberFrom(exchange.url.searchParams.get('status'), 302, 308),
    ),
}

function redirect({ response }: Exchange, location: string, status = 302) {
  response.writeHead(status, { location, 'content-type': 'text/html; charset=utf-8' })
  response.end('<p>Moved.</p>')
}
