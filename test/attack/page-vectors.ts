/** A page that requests a resource that it must not get. */
export interface PageVector {
  name: string
  html: string
}

/** Returns a vector for every way in which a page can contact a server. `port` is the port of a forbidden server. */
export function pageVectors(port: number, udpPort: number): PageVector[] {
  const target = `http://127.0.0.1:${port}`
  const toRedirect = (path: string) => `/redirect/to?url=${encodeURIComponent(`${target}${path}`)}`
  const script = (code: string) => `<script>${code}</script>`
  const hosts = [
    'localhost',
    '[::1]',
    '0',
    '127.1',
    '2130706433',
    '0x7f.1',
    '[::ffff:127.0.0.1]',
    '127.0.0.1.',
  ]
  return Object.entries({
    image: `<img src="${target}/img"><img srcset="${target}/srcset 2x"><picture><source srcset="${target}/source"><img></picture>`,
    frame: `<iframe src="${target}/frame"></iframe>`,
    'frame in a frame': `<iframe srcdoc='<iframe src="${target}/inner"></iframe>'></iframe>`,
    'old frames': `${script(`document.write('<frameset><frame src="${target}/frameset"></frameset>')`)}`,
    object: `<object data="${target}/object"></object><embed src="${target}/embed">`,
    media: `<video src="${target}/video" poster="${target}/poster" autoplay></video><audio src="${target}/audio" autoplay></audio><track src="${target}/track">`,
    style: `<link rel="stylesheet" href="${target}/style.css"><style>@import url(${target}/import.css); @font-face { font-family: f; src: url(${target}/font) } body { background: url(${target}/background); font-family: f; cursor: url(${target}/cursor), auto } li { list-style: url(${target}/list) }</style><ul><li>x</ul>`,
    drawing: `<svg width="9" height="9"><image href="${target}/svg"/><use href="${target}/use#a"/><filter id="f"><feImage href="${target}/fe"/></filter><rect filter="url(#f)" width="9" height="9"/></svg>`,
    'script element': `<script src="${target}/script.js"></script><script type="module">import '${target}/module.js'</script>`,
    hints: `<link rel="prefetch" href="${target}/prefetch"><link rel="preload" as="image" href="${target}/preload"><link rel="preconnect" href="${target}"><link rel="dns-prefetch" href="${target}"><link rel="prerender" href="${target}/prerender"><link rel="modulepreload" href="${target}/modulepreload"><link rel="icon" href="${target}/icon"><link rel="manifest" href="${target}/manifest">`,
    'speculation rules': `<script type="speculationrules">{"prefetch":[{"source":"list","urls":["${target}/speculation"]}],"prerender":[{"source":"list","urls":["${target}/prerendered"]}]}</script>`,
    fetch: script(`fetch('${target}/fetch', { mode: 'no-cors', credentials: 'include' }).catch(() => {})`),
    'fetch kept alive': script(
      `fetch('${target}/alive', { method: 'POST', keepalive: true, mode: 'no-cors', body: 'x' }).catch(() => {})`,
    ),
    request: script(`const r = new XMLHttpRequest(); r.open('POST', '${target}/xhr'); r.send('x')`),
    beacon: script(`navigator.sendBeacon('${target}/beacon', 'x')`),
    ping: `<a id="a" ping="${target}/ping" href="#">x</a>${script(`a.click()`)}`,
    socket: script(`new WebSocket('ws://127.0.0.1:${port}/socket')`),
    'socket in TLS': script(`new WebSocket('wss://127.0.0.1:${port}/socket')`),
    events: script(`new EventSource('${target}/events')`),
    transport: script(`new WebTransport('https://127.0.0.1:${port}/transport').ready.catch(() => {})`),
    worker: script(
      `new Worker(URL.createObjectURL(new Blob(["fetch('${target}/worker', { mode: 'no-cors' })"])))`,
    ),
    'worker that imports': script(
      `new Worker(URL.createObjectURL(new Blob(["importScripts('${target}/imported.js')"])))`,
    ),
    'shared worker': script(
      `new SharedWorker(URL.createObjectURL(new Blob(["fetch('${target}/shared', { mode: 'no-cors' })"])))`,
    ),
    worklet: script(
      `CSS.paintWorklet?.addModule('${target}/paint.js').catch(() => {}); new AudioContext().audioWorklet.addModule('${target}/audio.js').catch(() => {})`,
    ),
    'peer connection': script(
      `for (const scheme of ['stun', 'turn']) { const p = new RTCPeerConnection({ iceServers: [{ urls: scheme + ':127.0.0.1:${udpPort}', username: 'u', credential: 'c' }] }); p.createDataChannel('x'); p.createOffer().then((o) => p.setLocalDescription(o)) }`,
    ),
    window: script(`window.open('${target}/popup')`),
    form: `<form id="f" action="${target}/form" method="post" target="other"><input name="a" value="b"></form>${script('f.submit()')}`,
    'form in a frame': `<iframe name="inside"></iframe><form id="f" action="${target}/form-frame" target="inside"></form>${script('f.submit()')}`,
    download: `<a id="a" href="${target}/download" download>x</a>${script('a.click()')}`,
    navigation: script(`location.href = '${target}/navigation'`),
    'replaced address': script(`location.replace('${target}/replaced')`),
    'meta refresh': `<meta http-equiv="refresh" content="0;url=${target}/refresh">`,
    'redirected image': `<img src="${toRedirect('/redirected-image')}">`,
    'redirected frame': `<iframe src="${toRedirect('/redirected-frame')}"></iframe>`,
    'redirected fetch': script(
      `fetch('${toRedirect('/redirected-fetch')}', { mode: 'no-cors' }).catch(() => {})`,
    ),
    'redirected twice': `<img src="/redirect/to?url=${encodeURIComponent(toRedirect('/twice'))}">`,
    'policy report': `<meta http-equiv="content-security-policy" content="img-src 'none'; report-uri ${target}/report"><img src="/x">`,
    'service worker': script(`navigator.serviceWorker.register('/attack-worker.js').catch(() => {})`),
    'XML style': `<iframe src="data:text/xml,${encodeURIComponent(`<?xml-stylesheet href="${target}/xsl" type="text/xsl"?><a/>`)}"></iframe>`,
    ...Object.fromEntries(
      hosts.map((host) => [
        `host ${host}`,
        `<img src="http://${host}:${port}/host">${script(`fetch('http://${host}:${port}/host', { mode: 'no-cors' }).catch(() => {})`)}`,
      ]),
    ),
  }).map(([name, html]) => ({ name, html }))
}

/** Resources of the machine and of the browser. A page tries to write their content into its own text. */
export const localUrls = [
  ...['file:///etc/passwd', 'file://localhost/etc/passwd', 'file:///proc/self/environ'],
  ...[
    'chrome://version',
    'chrome://gpu',
    'devtools://devtools/bundled/inspector.html',
    'view-source:file:///etc/passwd',
  ],
  ...[
    'filesystem:http://127.0.0.1/temporary/',
    'ftp://127.0.0.1/',
    'jar:file:///etc/passwd',
    'about:version',
  ],
]

export function localVector(url: string): string {
  return `<iframe id="frame" src="${url}"></iframe><object data="${url}"></object><embed src="${url}">
<link rel="import" href="${url}"><script src="${url}"></script>
<pre id="found"></pre>
<script>
const note = (text) => { found.textContent += String(text) }
fetch('${url}').then((r) => r.text()).then(note, () => {})
try { const r = new XMLHttpRequest(); r.open('GET', '${url}', false); r.send(); note(r.responseText) } catch {}
frame.onload = () => { try { note(frame.contentDocument.documentElement.outerHTML) } catch {} }
try { window.open('${url}') } catch {}
setTimeout(() => { location.href = '${url}' }, 50)
</script>`
}
