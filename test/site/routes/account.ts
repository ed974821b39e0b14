import { type Exchange, page, type Routes, send, sendHtml } from '../route.ts'

/** Pages that identify the logged-in visitor by a cookie, and count visits in the browser. */
export const accountRoutes: Routes = {
  '/account': (exchange) => {
    const visitor = visitorOf(exchange)
    sendHtml(exchange, visitor === undefined ? loginPage : accountPage(visitor))
  },
  '/account/login': ({ url, response }) => {
    const name = encodeURIComponent(url.searchParams.get('name') ?? '')
    const cookie = `visitor=${name}; Path=/account; HttpOnly; SameSite=Strict; Max-Age=3600`
    response.writeHead(303, { location: '/account', 'set-cookie': cookie }).end()
  },
  '/account/orders.csv': (exchange) => {
    const visitor = visitorOf(exchange)
    if (visitor === undefined) exchange.response.writeHead(401).end('Log in first.')
    else send(exchange.response, { 'content-type': 'text/csv' }, `order,name\n1,${visitor}\n`)
  },
}

function visitorOf({ request }: Exchange): string | undefined {
  const cookie = /(?:^|; )visitor=([^;]+)/.exec(request.headers.cookie ?? '')?.[1]
  return cookie === undefined ? undefined : decodeURIComponent(cookie)
}

const loginPage = page(
  'Log in',
  `<form action="/account/login">
<label>Name <input id="name" name="name"></label>
<button id="enter">Log in</button>
</form>`,
)

/** Returns a page that counts its visits in local storage and in IndexedDB, and shows both counts. */
function accountPage(visitor: string): string {
  return page(
    'Account',
    `<p>Logged in as ${visitor}.</p>
<p id="count"></p>
<script>
const opening = indexedDB.open('account', 1)
opening.onupgradeneeded = () => opening.result.createObjectStore('visits')
opening.onsuccess = () => {
  const visits = opening.result.transaction('visits', 'readwrite').objectStore('visits')
  const reading = visits.get('count')
  reading.onsuccess = () => {
    const stored = (reading.result?.[0] ?? 0) + 1
    const local = Number(localStorage.getItem('count') ?? 0) + 1
    localStorage.setItem('count', local)
    const writing = visits.put(Uint8Array.of(stored), 'count')
    writing.onsuccess = () => {
      document.getElementById('count').textContent = 'Visits: ' + local + ' and ' + stored + '.'
    }
  }
}
</script>`,
  )
}

/** Actions that log in on the page and wait until both counts of visits are shown. */
export const logIn = [
  { type: 'click', selector: '#name' },
  { type: 'write', text: 'Ada' },
  { type: 'click', selector: '#enter' },
  { type: 'wait', selector: '#count:not(:empty)' },
]
