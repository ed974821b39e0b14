import { numberFrom, page, type Routes, sendHtml } from '../route.ts'

/** Pages whose content appears late, and complete pages that never become idle. */
export const lateRoutes: Routes = {
  // Shows nothing or a word until a timer of `ms` milliseconds ends.
  '/late/timer': (exchange) => {
    const says = exchange.url.searchParams.get('says') ?? ''
    const ms = numberFrom(exchange.url.searchParams.get('ms'), 400, 10_000)
    sendHtml(exchange, app(says, `setTimeout(() => show(story), ${ms})`))
  },
  // Shows the same after a slow API call, from a script of typical length.
  '/late/api': (exchange) => {
    const ms = numberFrom(exchange.url.searchParams.get('ms'), 400, 10_000)
    const says = exchange.url.searchParams.get('says') ?? ''
    const script = `/* ${'A comment is no content. '.repeat(30)} */
      fetch('/app/data?ms=${ms}').then((answer) => answer.json()).then(() => show(story))`
    sendHtml(exchange, app(says, script))
  },
  '/late/spinner': (exchange) => {
    const spinner =
      '<div class="spinner" role="progressbar"></div><p>We are getting your page ready for you.</p>'
    sendHtml(exchange, app(spinner, 'setTimeout(() => show(story), 2500)'))
  },
  // Lines of text in the shape of the later content.
  '/late/skeleton': (exchange) => {
    const lines = Array.from(
      { length: 8 },
      (_, index) => `<li class="skeleton">Name of item ${index}, its price, and a line about it</li>`,
    )
    const intro = `<p>${'Everything in this shop was made by hand in a small town by the sea. '.repeat(5)}</p>`
    sendHtml(exchange, app(`${intro}<ul>${lines.join('')}</ul>`, 'setTimeout(() => show(story), 2000)'))
  },
  // A server-rendered page with one part that only a script fills in.
  '/late/hydration': (exchange) => {
    const written = `<h1>Timetable</h1><p>${'Boats leave from the northern pier all year round. '.repeat(8)}</p><div id="list">Loading departures…</div>`
    const script = `setTimeout(() => fetch('/app/data?ms=1200').then(() => { document.getElementById('list').textContent = 'The harbour opens when the tide allows it.' }), 300)`
    sendHtml(exchange, app(written, script))
  },
  // A page that is complete immediately but never becomes idle.
  '/late/never-quiet': (exchange) => {
    const restless: Record<string, string> = {
      poll: `setInterval(() => fetch('/app/data?ms=1'), 200)`,
      hanging: `fetch('/app/data?ms=20000')`,
      clock: `setInterval(() => { clock.textContent = new Date().toISOString() }, 40)`,
      ticker: `let at = 0; setInterval(() => { clock.innerHTML = '<b>' + 'Fog. Wind. Rain.'.slice(at++ % 9) + '</b>' }, 60)`,
      style: `setInterval(() => { clock.style.opacity = Math.random() }, 40)`,
    }
    const script = restless[exchange.url.searchParams.get('by') ?? ''] ?? ''
    const paragraphs = '<p>The lighthouse has been burning every night since it was built.</p>'.repeat(12)
    sendHtml(exchange, page('Restless', `${paragraphs}<p id="clock">12:00</p><script>${script}</script>`))
  },
}

function app(inside: string, script: string): string {
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>App</title></head><body><div id="root">${inside}</div><script>
const story = '<main><h1>Late</h1><p>' + Array(12).fill('The harbour opens when the tide allows it.').join(' ') + '</p></main>'
function show(html) { document.getElementById('root').innerHTML = html }
${script}
</script></body></html>`
}
