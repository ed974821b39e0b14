import { type Exchange, page, type Routes, send, sendHtml } from '../route.ts'

/** Pages with ads, and with cookie dialogs of many kinds. */
export const adRoutes: Routes = {
  '/ads/page': (exchange) => sendHtml(exchange, story('Ads', ads)),
  '/ads/late': (exchange) => sendHtml(exchange, story('Late ad', lateAd)),
  '/ads/app.js': (exchange) => sendScript(exchange, "document.documentElement.dataset.app = 'ran'"),
  '/pagead/js/adsbygoogle.js': (exchange) =>
    sendScript(exchange, "document.documentElement.dataset.ad = 'ran'"),
  '/pagead/js/frame': (exchange) => sendHtml(exchange, page('Ad', '<p>Buy this.</p>')),

  '/consent/onetrust': (exchange) => sendHtml(exchange, story('OneTrust', oneTrust)),
  '/consent/cookiebot': (exchange) => sendHtml(exchange, story('Cookiebot', cookiebot)),
  '/consent/cookiebot-wall': (exchange) => sendHtml(exchange, story('Cookiebot wall', cookiebotWall)),
  '/consent/onetrust-maze': (exchange) => sendHtml(exchange, story('OneTrust maze', oneTrustMaze)),
  '/consent/frame': (exchange) => sendHtml(exchange, story('Dialog in a frame', frame)),
  '/index.html': (exchange) => sendHtml(exchange, page('Choose', sourcepoint)),
  '/consent/unknown': (exchange) => sendHtml(exchange, story('Unknown banner', unknown)),
  '/consent/banner': (exchange) => sendHtml(exchange, story('Banner', banner(exchange.url.searchParams))),
  '/consent/named': (exchange) => sendHtml(exchange, story('Named', named)),
  '/consent/late': (exchange) => sendHtml(exchange, story('Late banner', late)),
  '/consent/shadow': (exchange) => sendHtml(exchange, story('Banner in a component', shadow)),
  '/consent/accept-only': (exchange) => sendHtml(exchange, story('No choice', acceptOnly)),
  '/consent/wall': (exchange) => sendHtml(exchange, story('Wall', wall)),
  '/consent/nothing-behind': (exchange) => sendHtml(exchange, nothingBehind),
  '/consent/reload': (exchange) => sendHtml(exchange, story('Reload', reloadingDialog(exchange))),
  '/consent/newsletter': (exchange) => sendHtml(exchange, story('Newsletter', newsletter)),
  '/consent/article': (exchange) => sendHtml(exchange, story('About cookies', aboutCookies)),
  // Records the pressed buttons: each button requests its own URL.
  '/consent/pressed/:button': ({ response }) => response.writeHead(204).end(),
}

function sendScript({ response }: Exchange, text: string) {
  send(response, { 'content-type': 'text/javascript' }, text)
}

function story(title: string, rest: string) {
  const sentence = 'of a story about a lighthouse and the people who keep it burning through the winter.'
  const paragraphs = Array.from({ length: 12 }, (_, index) => `<p>Paragraph ${index + 1} ${sentence}</p>`)
  return page(title, `<article>${paragraphs.join('\n')}</article>\n${pressing}\n${rest}`)
}

const pressing = `<script>
  function press(button) {
    navigator.sendBeacon('/consent/pressed/' + button)
    document.querySelector('.asks').remove()
    document.documentElement.style.overflow = ''
  }
</script>`

const button = (name: string, label: string, id = name) =>
  `<button id="${id}" onclick="press('${name}')">${label}</button>`

const atBottom = 'style="position: fixed; inset: auto 0 0 0; padding: 1em; background: #eee"'
const fullScreen = 'style="position: fixed; inset: 0; padding: 20vh 20vw; background: #ddd"'

const ads = `
<script src="/pagead/js/adsbygoogle.js" async></script>
<script src="/ads/app.js"></script>
<div class="ad-banner" id="place"><p>Buy this lamp.</p></div>
<iframe id="frame" src="/pagead/js/frame"></iframe>
<iframe src="https://ad.doubleclick.net/shown"></iframe>`

const lateAd = `<script>
  setTimeout(() => document.querySelector('main').insertAdjacentHTML('beforeend',
    '<div class="ad-slot" id="place"><p>Buy this lamp.</p></div>'), 300)
</script>`

const oneTrust = `
<div id="onetrust-consent-sdk" class="asks">
  <div class="onetrust-pc-dark-filter" ${fullScreen}></div>
  <div id="onetrust-banner-sdk" role="alertdialog" ${atBottom}>
    <p>We use cookies on this website.</p>
    ${button('settings', 'Cookie settings', 'onetrust-pc-btn-handler')}
    ${button('reject', 'Reject all', 'onetrust-reject-all-handler')}
    ${button('accept', 'Accept all', 'onetrust-accept-btn-handler')}
  </div>
</div>`

const cookiebot = `
<script>
  window.Cookiebot = { hasResponse: false, declined: false, dialog: { visible: true } }
  function decline() {
    Object.assign(window.Cookiebot, { hasResponse: true, declined: true, dialog: { visible: false } })
    press('reject')
  }
</script>
<div id="CybotCookiebotDialog" class="asks" role="dialog" ${atBottom}>
  <p>This website uses cookies.</p>
  <button id="CybotCookiebotDialogBodyLevelButtonLevelOptinDeclineAll" onclick="decline()">Deny</button>
  ${button('accept', 'Allow all', 'CybotCookiebotDialogBodyLevelButtonLevelOptinAllowAll')}
</div>`

/** Neither the buttons nor the script interface of this dialog can reject cookies. */
const cookiebotWall = `
<script>
  window.Cookiebot = { hasResponse: false, dialog: { visible: true } }
  function allow() {
    Object.assign(window.Cookiebot, { hasResponse: true, dialog: { visible: false } })
    press('accept')
  }
</script>
<div id="CybotCookiebotDialog" class="asks" role="dialog" ${fullScreen}>
  <p>This website uses cookies.</p>
  <button id="CybotCookiebotDialogBodyButtonAccept" onclick="allow()">OK</button>
</div>`

/** Rejecting is only possible on a second page of the dialog, which never appears. */
const oneTrustMaze = `
<div id="onetrust-consent-sdk" class="asks">
  <div id="onetrust-banner-sdk" role="alertdialog" ${atBottom}>
    <p>We use cookies on this website.</p>
    <button id="onetrust-pc-btn-handler">Cookie settings</button>
    ${button('accept', 'Accept all', 'onetrust-accept-btn-handler')}
  </div>
</div>`

const frame = `
<div id="sp_message_container_1" class="asks" ${fullScreen}>
  <iframe src="/index.html?message_id=1" style="width: 100%; height: 100%"></iframe>
</div>
<script>addEventListener('message', ({ data }) => press(data))</script>`

const sourcepoint = `
<p>We and our partners store data on your device.</p>
<button class="sp_choice_type_11" onclick="parent.postMessage('accept', '*')">Accept</button>
<button class="sp_choice_type_13" onclick="parent.postMessage('reject', '*')">Reject</button>`

const unknown = `
<div class="asks" ${atBottom}>
  <p>Diese Website verwendet Cookies, um Ihnen das beste Erlebnis zu bieten.</p>
  <a href="/article">Alle ablehnen: mehr dazu</a>
  ${button('accept', 'Alle akzeptieren')} ${button('reject', 'Nur notwendige Cookies')}
</div>
<button id="outside" onclick="press('outside')">Alles ablehnen</button>`

/** Returns a banner with the texts in the query. */
const banner = (words: URLSearchParams) => `
<div class="asks" ${atBottom}>
  <p>${words.get('text')}</p>
  ${button('accept', words.get('accept') ?? '')} ${button('reject', words.get('reject') ?? '')}
</div>`

const late = `<template id="later">${unknown}</template><script>
  setTimeout(() => document.body.append(document.getElementById('later').content.cloneNode(true)), 700)
</script>`

const shadow = `<cookie-question class="asks"></cookie-question><script>
  document.querySelector('cookie-question').attachShadow({ mode: 'open' }).innerHTML = \`
    <div ${atBottom}>
      <p>Nous utilisons des cookies sur ce site.</p>
      ${button('accept', 'Tout accepter')} ${button('reject', 'Continuer sans accepter')}
    </div>\`
</script>`

const acceptOnly = `
<div class="asks" ${atBottom}>
  <p>By using this site you agree to our cookies.</p>
  ${button('accept', 'Got it')}
</div>`

/** Banner that is recognizable only by its class name. */
const named = `
<div class="site-bottom cookie_banner">
  <p>Biscuits are stored on this device.</p>
  <a href="/article">More about them</a>
</div>`

const wall = `
<style>html { overflow: hidden }</style>
<div id="backdrop" style="position: fixed; inset: 0; background: #0008"></div>
<div class="asks" role="dialog" aria-modal="true" style="position: fixed; inset: 10vh 20vw; background: #fff">
  <h2>We value your privacy</h2>
  <p>We and our partners use cookies to personalise advertising.</p>
  ${button('accept', 'Accept all')} <a href="/article">Subscribe instead</a>
</div>`

const nothingBehind = `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Nothing behind</title></head>
<body>
${pressing}
<div class="asks" ${fullScreen}>
  <p>This site needs your consent to cookies.</p>
  <button onclick="press('accept'); document.body.append('The story begins.')">I agree</button>
</div>
</body></html>`

/** Returns a dialog until the choice is in a cookie. The button sets the cookie and reloads the page. */
function reloadingDialog({ request }: Exchange) {
  if (request.headers.cookie?.includes('choice=')) return '<p>Thank you for choosing.</p>'
  return `
<div class="asks" ${atBottom}>
  <p>This site uses cookies.</p>
  <button onclick="document.cookie = 'choice=no; path=/'; location.reload()">Decline</button>
</div>`
}

const newsletter = `
<div class="asks" role="dialog" ${fullScreen}>
  <p>Our letter about cookies and cakes, once a week. See our privacy policy.</p>
  <input type="email" placeholder="Your address">
  ${button('subscribe', 'I agree')} ${button('decline', 'No thanks')}
</div>`

const aboutCookies = `
<header style="position: sticky; top: 0; background: #fff"><a href="/article">Cookies</a> <button>Menu</button></header>
<section id="text">
  <h2>Why sites ask about cookies</h2>
  <p>A website that stores cookies needs your consent. Most people press the first button they see.</p>
  <p>A fair dialog has two buttons of the same size:</p>
  ${button('reject', 'Reject all')} ${button('accept', 'Accept all')}
</section>`
