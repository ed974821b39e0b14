import { page, type Routes, sendHtml } from '../route.ts'

/** Pages that only a browser can render, or that differ in a browser. */
export const renderedRoutes: Routes = {
  // A shell whose text comes from an API after a while.
  '/app': (exchange) => {
    const ms = Number(exchange.url.searchParams.get('ms') ?? 800)
    sendHtml(exchange, shell(`fetch('/app/data?ms=${ms}').then((r) => r.json()).then(show)`))
  },
  '/app/data': async ({ response, url }) => {
    await new Promise((resolve) => setTimeout(resolve, Number(url.searchParams.get('ms'))))
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(
      JSON.stringify({
        title: 'Loaded late',
        text: paragraphs('The harbour opens when the tide allows it.'),
      }),
    )
  },
  // A page that polls its server forever. Its text is complete after the first response.
  '/app/polling': (exchange) => {
    const script = `fetch('/app/data?ms=250').then((r) => r.json()).then(show); setInterval(() => fetch('/app/data?ms=1'), 300)`
    sendHtml(exchange, shell(script))
  },
  '/app/shadow': (exchange) => {
    const script = `const host = document.createElement('winnow-card'); root.append(host);
      host.attachShadow({ mode: 'open' }).innerHTML = '<article><h1>In the shadow</h1><p>${paragraphs('Text inside a shadow root.')}</p></article>'`
    sendHtml(exchange, shell(script))
  },
  '/app/frame': (exchange) =>
    sendHtml(exchange, page('With a frame', '<main><h1>Outside</h1><iframe src="/pages/3"></iframe></main>')),
  // Each click appends a line, and the form repeats the typed text.
  '/app/actions': (exchange) => sendHtml(exchange, page('Actions', actions)),
  '/app/device': (exchange) => sendHtml(exchange, page('Device', device)),
  '/app/crash': (exchange) =>
    sendHtml(
      exchange,
      page(
        'Crash',
        '<script>const hold = []; for (;;) hold.push(new Array(1e7).fill(Math.random()))</script>',
      ),
    ),
  // Sends a challenge to a client without scripts, and the text to a browser.
  '/app/browser-only': (exchange) => {
    if (/(^|; )runs=scripts/.test(exchange.request.headers.cookie ?? '')) {
      return sendHtml(
        exchange,
        page('Let in', `<main><h1>Let in</h1><p>${paragraphs('Only browsers read this.')}</p></main>`),
      )
    }
    exchange.response.writeHead(403, {
      'content-type': 'text/html; charset=utf-8',
      'cf-mitigated': 'challenge',
    })
    exchange.response.end(
      page(
        'Just a moment...',
        `<script>document.cookie = 'runs=scripts'; setTimeout(() => location.reload(), 50)</script>`,
      ),
    )
  },
  '/app/consent': (exchange) => {
    const script = `document.getElementById('accept').onclick = () => { document.getElementById('wall').remove(); show({ title: 'Behind the wall', text: '${paragraphs('Text behind a consent wall.')}' }) }`
    const wall = `<div id="wall" role="dialog" aria-modal="true" style="position:fixed;inset:0;background:#fff"><h2>We value your privacy</h2>
      <p>We and our partners use cookies. Please give your consent to continue.</p><button id="accept">Accept all</button></div>`
    sendHtml(exchange, shell(script, wall))
  },
}

function paragraphs(sentence: string): string {
  return Array(12).fill(sentence).join(' ')
}

function shell(script: string, extra = ''): string {
  return `<!doctype html><html lang="en"><head><title>App</title></head><body>${extra}<div id="root"></div><script>
const root = document.getElementById('root')
function show({ title, text }) { document.title = title; root.innerHTML = '<main><h1>' + title + '</h1><p>' + text + '</p></main>' }
${script}
</script></body></html>`
}

const actions = `<h1>Actions</h1><button id="add">Add</button><button class="each">A</button><button class="each">B</button>
<form id="form"><input id="name" name="name"></form><ul id="list"></ul><div id="box" style="height:100px;overflow:auto"><div style="height:1000px">tall</div></div>
<div style="height:3000px"></div><p id="end">The end</p>
<script>
const list = document.getElementById('list')
const add = (text) => { const item = document.createElement('li'); item.textContent = text; list.append(item) }
document.getElementById('add').onclick = () => add('added')
for (const button of document.querySelectorAll('.each')) button.onclick = () => add('each ' + button.textContent)
document.getElementById('form').onsubmit = (event) => { event.preventDefault(); add('hello ' + document.getElementById('name').value) }
setTimeout(() => { const late = document.createElement('p'); late.id = 'late'; late.textContent = 'late element'; document.body.append(late) }, 700)
</script>`

const device = `<dl id="facts"></dl><script>
const facts = { agent: navigator.userAgent, language: navigator.language, zone: Intl.DateTimeFormat().resolvedOptions().timeZone, width: screen.width, touch: navigator.maxTouchPoints > 0, webdriver: navigator.webdriver }
document.getElementById('facts').innerHTML = Object.entries(facts).map(([name, value]) => '<dt>' + name + '</dt><dd id="' + name + '">' + value + '</dd>').join('')
</script><p>${paragraphs('What the browser says of itself stands above.')}</p>`
