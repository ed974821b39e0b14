/* Continues page.js in the same scope. Sends the input of an interactive viewer to the page. */

/* Mouse and touch. */

const getModifiers = (event) =>
  (event.altKey ? 1 : 0) | (event.ctrlKey ? 2 : 0) | (event.metaKey ? 4 : 0) | (event.shiftKey ? 8 : 0)

function toPagePosition({ clientX, clientY }) {
  const box = canvas.getBoundingClientRect()
  return {
    x: ((clientX - box.left) / box.width) * state.viewport.width,
    y: ((clientY - box.top) / box.height) * state.viewport.height,
  }
}

const buttonNames = ['left', 'middle', 'right', 'back', 'forward']
function sendMouse(action, event, fields) {
  const { buttons } = event
  send({
    type: 'mouse',
    action,
    ...toPagePosition(event),
    buttons,
    modifiers: getModifiers(event),
    ...fields,
  })
}

let pendingMove
function scheduleMove(event) {
  // The screen shows at most one movement per animation frame, so more messages would be useless.
  if (!pendingMove) {
    requestAnimationFrame(() => {
      sendMouse('move', pendingMove, { button: getPressedButton(pendingMove.buttons) })
      pendingMove = undefined
    })
  }
  pendingMove = event
}

function getPressedButton(buttons) {
  if (buttons & 1) return 'left'
  if (buttons & 2) return 'right'
  return buttons & 4 ? 'middle' : 'none'
}

canvas.addEventListener('mousemove', scheduleMove)
let isPressed = false
canvas.addEventListener('mousedown', (event) => {
  event.preventDefault()
  isPressed = true
  keyInput.focus({ preventScroll: true })
  sendMouse('down', event, { button: buttonNames[event.button] ?? 'none', clicks: Math.min(event.detail, 3) })
})
// The window listens, because a button that is released outside the canvas would otherwise stay pressed on the page.
addEventListener('mouseup', (event) => {
  if (!isPressed) return
  isPressed = event.buttons !== 0
  sendMouse('up', event, { button: buttonNames[event.button] ?? 'none', clicks: Math.min(event.detail, 3) })
})
canvas.addEventListener('contextmenu', (event) => event.preventDefault())

let pendingWheel
canvas.addEventListener(
  'wheel',
  (event) => {
    if (!state.isInteractive) return
    event.preventDefault()
    const unit = event.deltaMode === 1 ? 16 : event.deltaMode === 2 ? state.viewport.height : 1
    if (!pendingWheel) {
      requestAnimationFrame(() => {
        sendMouse('wheel', pendingWheel.event, {
          deltaX: clamp(pendingWheel.x),
          deltaY: clamp(pendingWheel.y),
        })
        pendingWheel = undefined
      })
    }
    pendingWheel = {
      event,
      x: (pendingWheel?.x ?? 0) + event.deltaX * unit,
      y: (pendingWheel?.y ?? 0) + event.deltaY * unit,
    }
  },
  { passive: false },
)
const clamp = (delta) => Math.max(-10_000, Math.min(10_000, delta))

const touchActions = { touchstart: 'start', touchmove: 'move', touchend: 'end', touchcancel: 'cancel' }
for (const [eventName, action] of Object.entries(touchActions)) {
  canvas.addEventListener(
    eventName,
    (event) => {
      if (!state.isInteractive) return
      event.preventDefault()
      const touches = action === 'end' || action === 'cancel' ? [] : [...event.touches].slice(0, 10)
      const points = touches.map((touch) => ({
        ...toPagePosition(touch),
        id: Math.abs(touch.identifier) % 1_000_000,
      }))
      if (action !== 'end' || event.touches.length === 0) send({ type: 'touch', action, points })
      if (action === 'end') keyInput.focus({ preventScroll: true })
    },
    { passive: false },
  )
}

/* Keyboard. The hidden text area receives the keys, so that input methods, phones and pasting work. */

const isPasteShortcut = (event) => (event.ctrlKey || event.metaKey) && ['v', 'V'].includes(event.key)

function sendKey(action, event) {
  if (event.isComposing || ['Process', 'Unidentified', 'Dead'].includes(event.key)) return
  if (isPasteShortcut(event)) return
  event.preventDefault()
  const isText = event.key.length === 1 && !event.ctrlKey && !event.metaKey
  const text = event.key === 'Enter' ? '\r' : isText ? event.key : ''
  const { code, keyCode, location, repeat: isRepeat } = event
  const modifiers = getModifiers(event)
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

function sendText() {
  if (keyInput.value) send({ type: 'text', text: keyInput.value.slice(0, 20_000) })
  keyInput.value = ''
}

keyInput.onkeydown = (event) => sendKey('down', event)
keyInput.onkeyup = (event) => sendKey('up', event)
keyInput.oncompositionend = sendText
keyInput.oninput = (event) => {
  if (!event.isComposing) sendText()
}
// Phone keyboards report no key for a deletion, and an empty field fires no `input` event for it.
keyInput.addEventListener('beforeinput', (event) => {
  if (event.inputType !== 'deleteContentBackward') return
  for (const action of ['down', 'up']) {
    send({ type: 'key', action, key: 'Backspace', code: 'Backspace', keyCode: 8 })
  }
})
