import { page, type Routes, send, sendHtml } from '../route.ts'

/**
 * Documentation with one server page: the browser fetches the text for the fragment and renders it. One site is empty
 * until then. Another site is delivered with its first page rendered, so that it looks complete without the fragment.
 */
export const hashDocsRoutes: Routes = {
  '/hash-docs/': (exchange) => sendHtml(exchange, shell('#/', '<div id="app">Loading …</div>')),
  '/hash-docs/:file': async (exchange) => {
    const name = (exchange.params.file ?? '').replace(/\.txt$/, '')
    const text = texts.get(name)
    // One text arrives so late that the delivered page was stable for a long time before.
    await new Promise((resolve) => setTimeout(resolve, name === 'hidden' ? 1800 : 150))
    if (text === undefined) exchange.response.writeHead(404).end()
    else send(exchange.response, { 'content-type': 'text/plain; charset=utf-8' }, text)
  },
  '/hash-written/': (exchange) =>
    sendHtml(
      exchange,
      shell('#!/', `<div id="app">${drawn('#!/', 'Welcome', texts.get('README') ?? '')}</div>`),
    ),
  // Its fragments look like routes but are anchors on the page, as in generated API references.
  '/hash-same/': (exchange) => {
    const calls = ['pets/list', 'pets/add', 'shops/list']
    const links = calls.map((call) => `<li><a href="#/${call}">${call}</a></li>`).join('')
    sendHtml(exchange, page('Calls', `<ul>${links}</ul><p>${sentences('calls')}</p>`))
  },
}

const sentences = (topic: string) => `A sentence about the ${topic} of this small program. `.repeat(12)

const texts = new Map([
  ['README', sentences('purpose')],
  ['guide', sentences('installation')],
  ['settings', sentences('configuration')],
  ['deep-plugins', sentences('extension')],
  ['hidden', sentences('internals')],
])

/** Links of the sidebar. Some texts have several links. */
const bar = [
  ['', 'Start'],
  ['guide', 'Guide'],
  ['guide?id=setup', 'Setting up'],
  ['guide?id=first-steps', 'First steps'],
  ['settings#colours', 'Colours'],
  ['settings', 'Settings'],
  ['deep-plugins?id=writing-one', 'Writing a plugin'],
] as const

/** Renders a page in the same way as the page's script, so that the server can deliver it rendered. */
function drawn(start: string, title: string, text: string): string {
  const links = bar.map(([path, name]) => `<li><a href="${start}${path}">${name}</a></li>`).join('')
  const hidden = title === 'Settings' ? `<a href="${start}hidden">More</a>` : ''
  return `<aside><ul>${links}</ul></aside><main><h1>${title}</h1><p>${text}</p><p><a href="#setup">Up</a>${hidden}</p></main>`
}

function shell(start: string, body: string): string {
  return `<!doctype html><html lang="en"><head><title>Documentation</title></head><body>${body}<script>
const start = ${JSON.stringify(start)}
const bar = ${JSON.stringify(bar)}
const drawn = ${drawn.toString()}
async function draw() {
  const path = location.hash.slice(start.length).split(/[?#]/)[0]
  const answer = await fetch('/hash-docs/' + (path || 'README') + '.txt')
  const title = path === '' ? 'Welcome' : path[0].toUpperCase() + path.slice(1)
  document.getElementById('app').innerHTML = answer.ok
    ? drawn(start, title, await answer.text())
    : '<main><h1>404 - Not found</h1></main>'
}
if (!location.hash.startsWith(start)) location.replace(start)
addEventListener('hashchange', draw)
draw()
</script></body></html>`
}
