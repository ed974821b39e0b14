/* Continues page.js, in one scope with it: what an interactive viewer does goes to the page. */

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
