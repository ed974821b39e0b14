const find = (selector) => document.querySelector(selector)
const [canvas, keyInput, cover, addressInput, toast] = [
  'canvas',
  '.keys',
  '.cover',
  '.address',
  '.toast',
].map(find)
const context = canvas.getContext('2d', { alpha: false })
const container = find('main')
let socket
let state = { isInteractive: false, active: null, tabs: [], viewport: { width: 0, height: 0 } }
let retryCount = 0

const send = (input) => {
  if (state.isInteractive && socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(input))
}

/* Cover over the image: while connecting, and after the end. */

function showCover(title, reason = '', hasEnded = false) {
  cover.hidden = false
  cover.classList.toggle('still', hasEnded)
  find('.cover h1').textContent = title
  find('.cover p').textContent = reason
  document.body.classList.remove('live')
  find('.mode').textContent = hasEnded ? 'Ended' : 'Connecting'
}

const showRejection = (rejection) =>
  showCover(
    rejection.status === '410' ? 'The session has ended' : 'This view cannot be shown',
    rejection.notice,
    true,
  )

function showToast(text) {
  toast.textContent = text
  clearTimeout(showToast.timer)
  showToast.timer = setTimeout(() => toast.replaceChildren(), 4000)
}

/* The connection. */

function connect() {
  showCover(retryCount === 0 ? 'Connecting' : 'Connecting again')
  const url = new URL(location.href)
  url.hash = ''
  url.protocol = url.protocol.replace('http', 'ws')
  socket = new WebSocket(url)
  socket.binaryType = 'blob'
  socket.onmessage = ({ data }) => {
    retryCount = 0
    if (typeof data !== 'string') return void draw(data)
    const message = JSON.parse(data)
    if (message.type === 'notice') showToast(message.text)
    if (message.type === 'state') render(message)
  }
  socket.onclose = ({ code, reason }) => {
    if (code === 4410) showCover('The session has ended', reason, true)
    else if (code === 1008 || code === 1013) showCover('The view was closed', reason, true)
    else void reconnect()
  }
}

/**
 * Connects again after a pause. A rejected WebSocket has no error message, but the page at the same URL contains it. In
 * that case, shows the message instead.
 */
async function reconnect() {
  showCover('Connecting again')
  const response = await fetch(location.href, { cache: 'no-store' }).catch(() => undefined)
  if (response && response.status >= 400 && response.status < 500) {
    const page = new DOMParser().parseFromString(await response.text(), 'text/html')
    return showRejection(page.body.dataset)
  }
  retryCount += 1
  setTimeout(connect, Math.min(500 * 2 ** retryCount, 10_000))
}

/* The image. */

let isDecoding = false
let pendingFrame

/** Draws a frame. Of the frames that arrive while another is being decoded, only the newest is drawn. */
async function draw(blob) {
  pendingFrame = blob
  if (isDecoding) return
  isDecoding = true
  while (pendingFrame) {
    const frame = pendingFrame
    pendingFrame = undefined
    const image = await createImageBitmap(frame).catch(() => undefined)
    if (!image) continue
    if (canvas.width !== image.width || canvas.height !== image.height) {
      canvas.width = image.width
      canvas.height = image.height
      scale()
    }
    context.drawImage(image, 0, 0)
    image.close()
    cover.hidden = true
    document.body.classList.add('live')
    find('.mode').textContent = state.isInteractive ? 'Interactive' : 'Watching'
  }
  isDecoding = false
}

function scale() {
  const { clientWidth, clientHeight } = container
  const ratio = Math.min(clientWidth / canvas.width, clientHeight / canvas.height)
  canvas.style.width = `${canvas.width * ratio}px`
  canvas.style.height = `${canvas.height * ratio}px`
}
new ResizeObserver(scale).observe(container)

/* Tabs and address bar. */

const createElement = (name, properties, ...children) => {
  const created = Object.assign(document.createElement(name), properties)
  created.append(...children)
  return created
}

function render(newState) {
  state = newState
  document.body.classList.toggle('steers', state.isInteractive)
  addressInput.readOnly = !state.isInteractive
  const active = state.tabs.find(({ id }) => id === state.active)
  if (document.activeElement !== addressInput) addressInput.value = active?.url ?? ''
  document.title = active?.title ? `${active.title}: live view` : 'Live view'
  find('.tabs').replaceChildren(
    ...state.tabs.map(createTab),
    ...(state.isInteractive ? [createAddButton()] : []),
  )
  if (active?.isCrashed) showCover('This tab has crashed', 'Reload it, or go to another one.', true)
}

function createTab({ id, title, url }) {
  const text = title || url || 'New tab'
  const name = createElement('button', { type: 'button', className: 'name', textContent: text, title: url })
  name.disabled = !state.isInteractive
  name.onclick = () => send({ type: 'switch-tab', id })
  const close = createElement('button', {
    type: 'button',
    className: 'close',
    textContent: '×',
    ariaLabel: `Close ${text}`,
  })
  close.onclick = () => send({ type: 'close-tab', id })
  const tab = createElement('div', { className: 'tab', role: 'tab' }, name, close)
  tab.setAttribute('aria-selected', String(id === state.active))
  return tab
}

function createAddButton() {
  const add = createElement('button', {
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
  if (addressInput.value.trim()) send({ type: 'navigate', url: addressInput.value.trim() })
  keyInput.focus()
}
addressInput.onfocus = () => addressInput.select()
for (const button of document.querySelectorAll('[data-act]')) {
  button.onclick = () => send({ type: button.dataset.act })
}

if (document.body.dataset.notice) showRejection(document.body.dataset)
else connect()
