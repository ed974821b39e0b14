import { z } from 'zod'

const coordinate = z.number().min(-100).max(20_000)
/** Bit mask: Alt 1, Control 2, Meta 4, Shift 8. */
const modifiers = z.int().min(0).max(15).default(0)
const shortText = z.string().max(40)

export const viewerInput = z.discriminatedUnion('type', [
  z.strictObject({
    type: z.literal('mouse'),
    action: z.enum(['move', 'down', 'up', 'wheel']),
    x: coordinate,
    y: coordinate,
    button: z.enum(['none', 'left', 'middle', 'right', 'back', 'forward']).default('none'),
    buttons: z.int().min(0).max(31).default(0),
    clicks: z.int().min(0).max(3).default(0),
    deltaX: z.number().min(-10_000).max(10_000).default(0),
    deltaY: z.number().min(-10_000).max(10_000).default(0),
    modifiers,
  }),
  z.strictObject({
    type: z.literal('key'),
    action: z.enum(['down', 'up']),
    key: shortText,
    code: shortText.default(''),
    keyCode: z.int().min(0).max(255).default(0),
    text: z.string().max(8).default(''),
    location: z.int().min(0).max(3).default(0),
    isRepeat: z.boolean().default(false),
    modifiers,
  }),
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(20_000) }),
  z.strictObject({
    type: z.literal('touch'),
    action: z.enum(['start', 'move', 'end', 'cancel']),
    points: z
      .array(z.strictObject({ x: coordinate, y: coordinate, id: z.int().min(0).max(1_000_000) }))
      .max(10),
    modifiers,
  }),
  z.strictObject({ type: z.literal('navigate'), url: z.string().min(1).max(8000) }),
  z.strictObject({ type: z.enum(['back', 'forward', 'reload']) }),
  z.strictObject({ type: z.literal('new-tab') }),
  z.strictObject({ type: z.enum(['switch-tab', 'close-tab']), id: shortText }),
])

export type ViewerInput = z.infer<typeof viewerInput>
type PageInput = Extract<ViewerInput, { type: 'mouse' | 'key' | 'text' | 'touch' }>

export function toPageCall(input: PageInput): { method: string; params: object } {
  if (input.type === 'text') return { method: 'Input.insertText', params: { text: input.text } }
  if (input.type === 'mouse') return { method: 'Input.dispatchMouseEvent', params: mouseParams(input) }
  if (input.type === 'key') return { method: 'Input.dispatchKeyEvent', params: keyParams(input) }
  const types = { start: 'touchStart', move: 'touchMove', end: 'touchEnd', cancel: 'touchCancel' }
  const { action, points: touchPoints, modifiers: activeModifiers } = input
  return {
    method: 'Input.dispatchTouchEvent',
    params: { type: types[action], touchPoints, modifiers: activeModifiers },
  }
}

function mouseParams(input: Extract<ViewerInput, { type: 'mouse' }>): object {
  const { action, clicks, type: _, ...rest } = input
  const types = { move: 'mouseMoved', down: 'mousePressed', up: 'mouseReleased', wheel: 'mouseWheel' }
  return { ...rest, type: types[action], clickCount: clicks }
}

function keyParams(input: Extract<ViewerInput, { type: 'key' }>): object {
  const { action, keyCode, text, isRepeat, type: _, ...rest } = input
  const downType = text === '' ? 'rawKeyDown' : 'keyDown'
  return {
    ...rest,
    type: action === 'up' ? 'keyUp' : downType,
    windowsVirtualKeyCode: keyCode,
    autoRepeat: isRepeat,
    ...(action === 'down' && text !== '' ? { text } : {}),
  }
}
