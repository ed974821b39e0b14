import { numberFrom, page, type Routes, sendHtml } from '../route.ts'

/** A site with static pages and with pages that scripts render. */
export const mixedEngineRoutes: Routes = {
  '/engines': (exchange) => {
    const links = [
      '/engines/app/1',
      ...Array.from({ length: 12 }, (_, index) => `/engines/text/${index + 1}`),
    ]
    sendHtml(exchange, page('Engines', `${prose('start')}${links.map(linkTo).join(' ')}`))
  },
  '/engines/text/:number': (exchange) => {
    const number = numberFrom(exchange.params.number, 0, 10_000)
    const html = page(`Text ${number}`, prose(`text ${number}`) + linkTo('/engines'))
    // Only a browser requests the stylesheet.
    sendHtml(exchange, html.replace('<title>', '<link rel="stylesheet" href="/engines/text.css"><title>'))
  },
  '/engines/app/:number': (exchange) =>
    sendHtml(exchange, drawnBy(`'<h1>App ${exchange.params.number}</h1>' + ${JSON.stringify(prose('app'))}`)),
  // A list whose entries a script renders, between static links.
  '/engines/list/:number': (exchange) => {
    const entries = [1, 2]
      .map((entry) => linkTo(`/engines/entry/${exchange.params.number}-${entry}`))
      .join(' ')
    sendHtml(exchange, drawnBy(JSON.stringify(`<h1>List</h1>${prose('list')}${entries}`), linkTo('/engines')))
  },
  '/engines/entry/:name': (exchange) => sendHtml(exchange, page('Entry', prose('entry'))),
  // A page with little text, links, and a script without effect.
  '/engines/thin/:number': (exchange) => {
    const number = numberFrom(exchange.params.number, 0, 10_000)
    const next = number < 6 ? linkTo(`/engines/thin/${number + 1}`) : ''
    sendHtml(exchange, page('Thin', `<p>The next one:</p>${next}<script>window.counted = true</script>`))
  },
  // Pages that only redirect, with a refresh in their head, as documentation generators write for moved pages.
  '/engines/moved/:to': (exchange) => {
    const target =
      exchange.params.to === 'round'
        ? '/engines/moved/round'
        : `/engines/text/${exchange.params.to}?a=1&amp;b=2`
    const refresh = `<meta http-equiv="refresh" content="0; URL='${target}'">`
    sendHtml(exchange, `<title>Moved</title>${refresh}<p>Moved <a href="${target}">there</a>.</p>`)
  },
  // A short reference entry: a heading, a line of code, and search scripts whose spinner is outside the main element.
  '/engines/entry-of-reference': (exchange) => {
    const around = '<div id="search"><div class="spinner-wrapper"></div></div><doc-toolbar></doc-toolbar>'
    const entry =
      '<h1>Constant KEY_Yellow</h1><pre>#define KEY_Yellow 269025189</pre><p>Available since version 4.8 of the library.</p>'
    sendHtml(
      exchange,
      `<title>KEY_Yellow</title>${around}<main>${entry}</main><script>window.found = []</script>`,
    )
  },
  // A page that works without scripts, but recommends them in `noscript`.
  '/engines/noscript': (exchange) => {
    const plea = '<noscript>Please enable JavaScript for the best experience.</noscript>'
    const script = '<script>window.counted = true</script>'
    const text =
      'The ferry leaves at nine in the morning and comes back in the evening, every day but Sunday, all year.'
    sendHtml(exchange, `<title>Ferry</title>${plea}<h1>Ferry times</h1><p>${text}</p>${script}`)
  },
}

const prose = (topic: string) =>
  `<p>${`A sentence of the ${topic}, long enough to be read as one. `.repeat(10)}</p>`
const linkTo = (path: string) => `<a href="${path}">${path}</a>`

function drawnBy(expression: string, around = ''): string {
  return `<!doctype html><html lang="en"><head><title>Drawn</title></head><body><nav>${around}</nav><div id="root"></div><script>
document.getElementById('root').innerHTML = ${expression}
</script></body></html>`
}
