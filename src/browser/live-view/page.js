{
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
      return say('This view cannot be shown', page.body.dataset.notice, true)
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
    find('.tabs').replaceChildren(
      ...state.tabs.map(tabElement),
      ...(state.isInteractive ? [addButton()] : []),
    )
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

  /* Mouse and touch. */

  const modifiersOf = (event) =>
    (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0)

  function placeOf({ clientX, clientY }) {
    const box = canvas.getBoundingClientRect()
    return {
      x: ((clientX - box.left) / box.width) * state.viewport.width,
      y: ((clientY - box.top) / box.height) * state.viewport.height,
    }
  }

  const buttonNames = ['left', 'middle', 'right', 'back', 'forward']
  function mouse(action, event, more) {
    const { buttons } = event
    send({ type: 'mouse', action, ...placeOf(event), buttons, modifiers: modifiersOf(event), ...more })
  }

  let moved
  function move(event) {
    // One per picture of this screen is as smooth as it gets.
    if (!moved) {
      requestAnimationFrame(() => {
        mouse('move', moved, { button: heldButton(moved.buttons) })
        moved = undefined
      })
    }
    moved = event
  }

  function heldButton(buttons) {
    if (buttons & 1) return 'left'
    if (buttons & 2) return 'right'
    return buttons & 4 ? 'middle' : 'none'
  }

  canvas.addEventListener('mousemove', move)
  let isPressed = false
  canvas.addEventListener('mousedown', (event) => {
    event.preventDefault()
    isPressed = true
    keys.focus({ preventScroll: true })
    mouse('down', event, { button: buttonNames[event.button] ?? 'none', clicks: Math.min(event.detail, 3) })
  })
  // Outside the picture too: a button that is let go there would be held for ever on the page.
  addEventListener('mouseup', (event) => {
    if (!isPressed) return
    isPressed = event.buttons !== 0
    mouse('up', event, { button: buttonNames[event.button] ?? 'none', clicks: Math.min(event.detail, 3) })
  })
  canvas.addEventListener('contextmenu', (event) => event.preventDefault())

  let wheel
  canvas.addEventListener(
    'wheel',
    (event) => {
      if (!state.isInteractive) return
      event.preventDefault()
      const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? state.viewport.height : 1
      if (!wheel) {
        requestAnimationFrame(() => {
          mouse('wheel', wheel.event, { deltaX: clamp(wheel.x), deltaY: clamp(wheel.y) })
          wheel = undefined
        })
      }
      wheel = { event, x: (wheel?.x ?? 0) + event.deltaX * unit, y: (wheel?.y ?? 0) + event.deltaY * unit }
    },
    { passive: false },
  )
  const clamp = (delta) => Math.max(-10_000, Math.min(10_000, delta))

  const touchActions = { touchstart: 'start', touchmove: 'move', touchend: 'end', touchcancel: 'cancel' }
  for (const [name, action] of Object.entries(touchActions)) {
    canvas.addEventListener(
      name,
      (event) => {
        if (!state.isInteractive) return
        event.preventDefault()
        const touches = action === 'end' || action === 'cancel' ? [] : [...event.touches].slice(0, 10)
        const points = touches.map((touch) => ({
          ...placeOf(touch),
          id: Math.abs(touch.identifier) % 1_000_000,
        }))
        if (action !== 'end' || event.touches.length === 0) send({ type: 'touch', action, points })
        if (action === 'end') keys.focus({ preventScroll: true })
      },
      { passive: false },
    )
  }

  /* Keyboard: through a hidden field, so that input methods, phones and pasting work. */

  const isOwnShortcut = (event) => (event.ctrlKey || event.metaKey) && ['v', 'V'].includes(event.key)

  function key(action, event) {
    if (event.isComposing || ['Process', 'Unidentified', 'Dead'].includes(event.key)) return
    if (isOwnShortcut(event)) return
    event.preventDefault()
    const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey
    const text = event.key === 'Enter' ? '\r' : isText ? event.key : ''
    const { code, keyCode, location, repeat: isRepeat } = event
    const modifiers = modifiersOf(event)
    send({
      type: 'key',
      action,
      key: event.key,
      code,
      keyCode: Math.min(keyCode, 255),
      text,
      location,
      isRepeat,
      modifiers,
    })
  }

  function flush() {
    if (keys.value) send({ type: 'text', text: keys.value.slice(0, 20_000) })
    keys.value = ''
  }

  keys.onkeydown = (event) => key('down', event)
  keys.onkeyup = (event) => key('up', event)
  keys.oncompositionend = flush
  keys.oninput = (event) => {
    if (!event.isComposing) flush()
  }
  // Keyboards of phones name no key for this, and an empty field has nothing to delete.
  keys.addEventListener('beforeinput', (event) => {
    if (event.inputType !== 'deleteContentBackward') return
    for (const action of ['down', 'up']) {
      send({ type: 'key', action, key: 'Backspace', code: 'Backspace', keyCode: 8 })
    }
  })

  const refused = document.body.dataset.notice
  if (refused) say('This view cannot be shown', refused, true)
  else connect()
}
