const find = (selector) => document.querySelector(selector)
const [canvas, keys, cover, address, toast] = ['canvas', '.keys', '.cover', '.address', '.toast'].map(find)
const context = canvas.getContext('2d', { alpha: false })
const stage = find('main')
let socket
let state = { isInteractive: false, active: null, tabs: [], viewport: { width: 0, height: 0 } }
let tries = 0

const send = (input) => {
  if (state.isInteractive && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(input))
}

/* Words over the picture: while there is none, and when there will be none any more. */

function say(title, reason = '', isOver = false) {
  cover.hidden = false
  cover.classList.toggle('still', isOver)
  find('.cover h1').textContent = title
  find('.cover p').textContent = reason
  document.body.classList.remove('live')
  find('.mode').textContent = isOver ? 'Ended' : 'Connecting'
}

const sayRefusal = (refusal) =>
  say(refusal.status === '410' ? 'The session has ended' : 'This view cannot be shown', refusal.notice, true)

function notice(text) {
  toast.textContent = text
  clearTimeout(notice.timer)
  notice.timer = setTimeout(() => toast.replaceChildren(), 4000)
}

/* The connection. */

function connect() {
  say(tries === 0 ? 'Connecting' : 'Connecting again')
  const url = new URL(location.href)
  url.hash = ''
  url.protocol = url.protocol.replace('http', 'ws')
  socket = new WebSocket(url)
  socket.binaryType = 'blob'
  socket.onmessage = ({ data }) => {
    tries = 0
    if (typeof data !== 'string') return void draw(data)
    const message = JSON.parse(data)
    if (message.type === 'notice') notice(message.text)
    if (message.type === 'state') render(message)
  }
  socket.onclose = ({ code, reason }) => {
    if (code === 4410) say('The session has ended', reason, true)
    else if (code === 1008 || code === 1013) say('The view was closed', reason, true)
    else void tryAgain()
  }
}

/** A refused connection does not say why; the page at the same address does. */
async function tryAgain() {
  say('Connecting again')
  const answer = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined)
  if (answer && answer.status >= 400 && answer.status < 500) {
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    return sayRefusal(page.body.dataset)
  }
  tries += 1
  setTimeout(connect, Math.min(500 * 2 ** tries, 10_000))
}

/* The picture. */

let decoding = false
let waiting

async function draw(blob) {
  waiting = blob
  if (decoding) return
  decoding = true
  while (waiting) {
    const next = waiting
    waiting = undefined
    const picture = await createImageBitmap(next).catch(() => undefined)
    if (!picture) continue
    if (canvas.width !== picture.width || canvas.height !== picture.height) {
      canvas.width = picture.width
      canvas.height = picture.height
      scale()
    }
    context.drawImage(picture, 0, 0)
    picture.close()
    cover.hidden = true
    document.body.classList.add('live')
    find('.mode').textContent = state.isInteractive ? 'Interactive' : 'Watching'
  }
  decoding = false
}

function scale() {
  const { clientWidth, clientHeight } = stage
  const ratio = Math.min(clientWidth / canvas.width, clientHeight / canvas.height)
  canvas.style.width = `${canvas.width * ratio}px`
  canvas.style.height = `${canvas.height * ratio}px`
}
new ResizeObserver(scale).observe(stage)

/* Tabs and address. */

const element = (name, properties, ...children) => {
  const made = Object.assign(document.createElement(name), properties)
  made.append(...children)
  return made
}

function render(next) {
  state = next
  document.body.classList.toggle('steers', state.isInteractive)
  address.readOnly = !state.isInteractive
  const active = state.tabs.find(({ id }) => id === state.active)
  if (document.activeElement !== address) address.value = active?.url ?? ''
  document.title = active?.title ? `${active.title}: live view` : 'Live view'
  find('.tabs').replaceChildren(...state.tabs.map(tabElement), ...(state.isInteractive ? [addButton()] : []))
  if (active?.isCrashed) say('This tab has crashed', 'Reload it, or go to another one.', true)
}

function tabElement({ id, title, url }) {
  const text = title || url || 'New tab'
  const name = element('button', { type: 'button', className: 'name', textContent: text, title: url })
  name.disabled = !state.isInteractive
  name.onclick = () => send({ type: 'switch-tab', id })
  const close = element('button', {
    type: 'button',
    className: 'close',
    textContent: '×',
    ariaLabel: `Close ${text}`,
  })
  close.onclick = () => send({ type: 'close-tab', id })
  const tab = element('div', { className: 'tab', role: 'tab' }, name, close)
  tab.setAttribute('aria-selected', String(id === state.active))
  return tab
}

function addButton() {
  const add = element('button', {
    type: 'button',
    className: 'add',
    textContent: '+',
    ariaLabel: 'New tab',
  })
  add.onclick = () => send({ type: 'new-tab' })
  return add
}

find('.bar').onsubmit = (event) => {
  event.preventDefault()
  if (address.value.trim()) send({ type: 'navigate', url: address.value.trim() })
  keys.focus()
}
address.onfocus = () => address.select()
for (const button of document.querySelectorAll('[data-act]')) {
  button.onclick = () => send({ type: button.dataset.act })
}

if (document.body.dataset.notice) sayRefusal(document.body.dataset)
else connect()
